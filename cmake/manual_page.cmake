# SPDX-License-Identifier: Apache-2.0
# cmake -DHELP2MAN= -DSODE= -DCOMMAND= -DPAGE= -DVERSION= -P manual_page.cmake: one manual page from the help of `sode COMMAND`.
cmake_path(GET PAGE PARENT_PATH folder)
cmake_path(GET PAGE STEM name)
file(MAKE_DIRECTORY ${folder})
# help2man runs one program, so `sode COMMAND` becomes one; it takes its first line as what the command is for.
execute_process(COMMAND ${SODE} ${COMMAND} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${help}" help)
string(REGEX REPLACE "\n.*" "" purpose "${help}")
string(REGEX REPLACE "\\.$" "" purpose "${purpose}")
string(REGEX REPLACE "^Sode: " "" purpose "${purpose}")
string(REGEX REPLACE "[:;] .*" "" purpose "${purpose}")
file(WRITE ${folder}/${name}.help "${help}\n")
set(program ${folder}/${name}.sh)
file(WRITE ${program} "#!/bin/sh\ncase \$1 in\n--help) cat '${folder}/${name}.help' ;;\n*) echo 'sode ${VERSION}' ;;\nesac\n")
file(CHMOD ${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
string(REPLACE "sode-" "sode " called "${name}")
execute_process(COMMAND ${HELP2MAN} --no-info "--name=${purpose}" --source=sode --version-string=${VERSION} --output=${PAGE} ${program} COMMAND_ERROR_IS_FATAL ANY)
# It knows the program by the name of the file.
file(READ ${PAGE} text)
string(REPLACE "${name}.sh" "${called}" text "${text}")
string(REPLACE "${name}.SH" "${called}" text "${text}")
string(REPLACE "${called} \\-" "${name} \\-" text "${text}") # what `whatis` looks for
string(TOUPPER "${name}" title)
string(REGEX REPLACE "\\.TH [^ ]+( SODE)? +" ".TH ${title} " text "${text}")
file(WRITE ${PAGE} "${text}")
