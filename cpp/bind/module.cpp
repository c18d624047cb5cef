// The Python module: a list of its areas, each bound in its own file.
#include <nanobind/nanobind.h>

namespace ceiba {
void bind_base(nanobind::module_&);
void bind_data(nanobind::module_&);
void bind_binning(nanobind::module_&);
void bind_sketch(nanobind::module_&);
void bind_target_statistics(nanobind::module_&);
void bind_gradient(nanobind::module_&);
void bind_ranking(nanobind::module_&);
void bind_sample(nanobind::module_&);
void bind_plan(nanobind::module_&);
void bind_exchange(nanobind::module_&);
void bind_tree(nanobind::module_&);
void bind_leaf(nanobind::module_&);
void bind_model(nanobind::module_&);
void bind_dependence(nanobind::module_&);
void bind_explain(nanobind::module_&);
void bind_paired_explainer(nanobind::module_&);
} // namespace ceiba

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of ceiba.";
    ceiba::bind_base(module);
    ceiba::bind_data(module);
    ceiba::bind_binning(module);
    ceiba::bind_sketch(module);
    ceiba::bind_target_statistics(module);
    ceiba::bind_gradient(module);
    ceiba::bind_ranking(module);
    ceiba::bind_sample(module);
    ceiba::bind_plan(module);
    ceiba::bind_exchange(module);
    ceiba::bind_tree(module);
    ceiba::bind_leaf(module);
    ceiba::bind_model(module);
    ceiba::bind_dependence(module);
    ceiba::bind_explain(module);
    ceiba::bind_paired_explainer(module);
}
