// Run-time choice between the baseline and the AVX2 kernels.
//
// The core is built for any x86-64. Every `*_kernels.inc` is compiled twice, into the namespaces
// `baseline` and `avx2`, and the caller chooses with use_avx2(). Both give the same bits: no
// contraction, no reassociation, no library functions whose vector form rounds differently.
#pragma once

namespace ceiba {

bool cpu_has_avx2();
bool use_avx2();
void set_avx2(bool on); // no effect on a processor without AVX2

} // namespace ceiba
