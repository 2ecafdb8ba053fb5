//! What rereview decides, as pure functions of plain data.
