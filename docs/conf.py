"""Sphinx configuration of the documentation site. `make docs` builds it."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import ceiba  # noqa: E402

project = "ceiba"
author = "The ceiba developers"
project_copyright = author
version = release = ceiba.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_design",
    "sphinx_copybutton",
    "root_pages",
    "api_pages",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "measurements.md", "gallery/**/*.ipynb"]
nitpicky = True
default_role = "code"

# ---- pages --------------------------------------------------------------------------------------
myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

# ---- reference ----------------------------------------------------------------------------------
autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# ---- gallery ------------------------------------------------------------------------------------
# `make docs-check` sets plot_gallery=0: it reads the scripts without running them.
sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples" / "gallery"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "ignore_pattern": r"__init__\.py",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("matplotlib",),
    "reset_modules": ("matplotlib",),
    "reference_url": {},
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "min_reported_time": 5,
    "remove_config_comments": True,
    "capture_repr": ("_repr_html_", "__repr__"),
    "backreferences_dir": None,
    "parallel": min(2, os.cpu_count() or 1),
}

# ---- HTML ---------------------------------------------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_title = "ceiba"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "ceiba"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {
    page: [] for page in ("index", "get_started", "parameters", "faq", "gallery/index")
}
# One file, fetched from npm by tools/fetch_mathjax.py: formulas need no network.
mathjax_path = "mathjax/tex-svg.js"
