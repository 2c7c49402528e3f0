// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Stands before what programs may link to. All else in a shared libsode is hidden: it can change without anybody noticing, and
/// meets no names of programs. A library that holds parts of Sode for itself alone defines it as nothing.
#ifndef SODE_API
#define SODE_API __attribute__((visibility("default")))
#endif
