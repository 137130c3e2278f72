"""Reading Python: files, modules, projects, patterns, and the sites that matter to one model."""
