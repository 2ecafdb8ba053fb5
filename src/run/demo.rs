//! `rereview demo`: a pull request's life on a small repository that it makes itself.

mod story;
mod world;

use std::io::Write;

use super::show::Style;
use crate::error::Error;

/// Plays the whole story and prints what a person would see on GitHub.
pub async fn demo(out: &mut dyn Write, style: Style) -> Result<(), Error> {
    let mut stage = world::Stage::build()?;
    for scene in story::SCENES {
        stage.play(scene, out, style).await?;
    }
    stage.curtain(out, style)
}
