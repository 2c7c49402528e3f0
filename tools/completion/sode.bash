# SPDX-License-Identifier: Apache-2.0
# bash completion for `sode`. It asks the command itself, so it knows what that version knows.
_sode() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
    if ((COMP_CWORD == 1)); then
        words=$(sode --help 2> /dev/null | awk '/^Subcommands:/ { on = 1; next } on && /^  [a-z]/ { print $1 } !on { for (i = 1; i <= NF; ++i) if ($i ~ /^--[a-z]/) print $i }')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    case $command in
    cc | c++ | mpicc | mpicxx | mpifort) return ;; # the compiler's options: complete files
    esac
    [[ $word == -* ]] || return
    words=$(sode "$command" --help 2> /dev/null | grep -oE -- '(^|[ ,])--?[a-z][-a-z]*' | tr -d ' ,' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _sode sode
