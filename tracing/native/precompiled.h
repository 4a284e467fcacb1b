// What most of Z3's files include, for precompiled.cmake.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#if __cplusplus >= 202002L
#include <format>
#endif
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ast/ast.h"
#include "util/rational.h"
#include "util/vector.h"
