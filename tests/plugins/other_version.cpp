// SPDX-License-Identifier: Apache-2.0
// What a plug-in of another version looks like.
extern "C" [[gnu::visibility("default")]] char const* sode_mpi_plugin_version() {
    return "0.0.1";
}
