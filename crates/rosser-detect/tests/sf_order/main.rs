//! What workers find out, task by task.

mod familiar;
mod futures;
mod history;
mod run;
