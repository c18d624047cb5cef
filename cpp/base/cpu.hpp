// Which kernels this machine can run.
//
// The core is built for any x86-64. A file that gains from AVX2 is compiled twice from the same
// source, as namespace `baseline` and as namespace `avx2`, and the caller chooses with use_avx2().
// Both give the same bits: no contraction, no reassociation, no library functions whose vector form
// rounds differently.
#pragma once

namespace ceiba {

bool cpu_has_avx2();
bool use_avx2();
void set_avx2(bool on); // stays off where the machine has none

} // namespace ceiba
