//! The config file (spec 40 §1): its types, its schema, and errors that name the line.

mod build;
mod problem;
mod types;

use serde::Deserialize;

pub use build::{AgentSpec, Built, Source};
pub use problem::ConfigError;
pub use types::Config;

/// A larger file is refused: deep nesting is slow to read.
const LARGEST: usize = 64 * 1024;

/// Reads a config file and checks it whole.
///
/// # Errors
/// The file, the line, what is wrong and what is allowed.
pub fn read(name: &str, text: &str) -> Result<Built, ConfigError> {
    if text.len() > LARGEST {
        return Err(ConfigError::whole(name, "the file is larger than 64 KiB"));
    }
    let document = serde_yaml::Deserializer::from_str(text);
    let config: Config = match serde_path_to_error::deserialize(document) {
        Ok(config) => config,
        Err(error) => {
            let path = error.path().to_string();
            return Err(ConfigError::from_yaml(name, text, &path, error.inner()));
        }
    };
    build::build(&config).map_err(|(path, message)| ConfigError::at(name, text, &path, &message))
}

/// The schema for editors.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Config).to_value()
}

/// For an optional value that may be written as nothing.
fn some<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests;
