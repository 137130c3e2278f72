"""The site: guides, survey, and a page for each id, family and program, in both languages."""
