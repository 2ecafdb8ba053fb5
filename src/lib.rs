//! rereview: the shell around `rereview_core`.
