// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks functions that programs may link to. Everything else in a shared libsode is hidden: hidden functions may change, and their
/// names do not clash with names of programs. A library that contains parts of Sode for its own use defines SODE_API as nothing.
#ifndef SODE_API
#define SODE_API __attribute__((visibility("default")))
#endif
