// 128-bit integers, for exact products and sums of 64-bit integers. A compiler without __int128
// needs its own definition here.
#pragma once

namespace ceiba {

__extension__ typedef __int128 WideInt;
__extension__ typedef unsigned __int128 WideUint;

} // namespace ceiba
