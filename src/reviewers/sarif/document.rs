//! The part of SARIF 2.1.0 that findings are made of.
//!
//! Own structs, because a whole model of the standard (`serde-sarif`) refuses a file for one odd
//! word in a part that nobody asks about, and keeps code flows by the megabyte.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::reviewers::null_is_default;

macro_rules! document {
    ($($(#[$doc:meta])* struct $name:ident { $($(#[$attr:meta])* $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Default, Deserialize)]
            #[serde(rename_all = "camelCase")]
            pub(super) struct $name {
                $(
                    $(#[$attr])*
                    #[serde(default, deserialize_with = "null_is_default")]
                    pub(super) $field: $kind,
                )*
            }
        )*
    };
}

document! {
    struct Log {
        version: String,
        runs: Vec<Run>,
    }

    struct Run {
        tool: Tool,
        invocations: Vec<Invocation>,
        artifacts: Vec<Artifact>,
        original_uri_base_ids: BTreeMap<String, ArtifactLocation>,
        column_kind: Option<String>,
        results: Vec<SarifResult>,
    }

    struct Tool {
        driver: Component,
        extensions: Vec<Component>,
    }

    /// A tool's driver or one of its plug-ins.
    struct Component {
        name: String,
        guid: Option<String>,
        rules: Vec<Rule>,
        global_message_strings: BTreeMap<String, Text>,
    }

    struct Rule {
        id: String,
        guid: Option<String>,
        short_description: Text,
        full_description: Text,
        message_strings: BTreeMap<String, Text>,
        default_configuration: Configuration,
        properties: Properties,
    }

    struct Configuration {
        level: Option<String>,
        rank: Option<f64>,
    }

    struct Properties {
        precision: Value,
        #[serde(rename = "security-severity")]
        security_severity: Value,
    }

    struct Text {
        text: String,
        markdown: Option<String>,
    }

    struct Invocation {
        execution_successful: Option<bool>,
        exit_code_description: Option<String>,
        process_start_failure_message: Option<String>,
        tool_execution_notifications: Vec<Notification>,
        rule_configuration_overrides: Vec<Override>,
    }

    struct Notification {
        level: Option<String>,
        message: Text,
    }

    struct Override {
        configuration: Configuration,
        descriptor: RuleReference,
    }

    struct RuleReference {
        id: Option<String>,
        index: Option<i64>,
        guid: Option<String>,
        tool_component: Option<ComponentReference>,
    }

    struct ComponentReference {
        name: Option<String>,
        index: Option<i64>,
        guid: Option<String>,
    }

    struct Artifact {
        location: ArtifactLocation,
    }

    struct ArtifactLocation {
        uri: Option<String>,
        uri_base_id: Option<String>,
        index: Option<i64>,
    }

    struct SarifResult {
        rule_id: Option<String>,
        rule_index: Option<i64>,
        rule: RuleReference,
        kind: Option<String>,
        level: Option<String>,
        message: ResultMessage,
        locations: Vec<Location>,
        suppressions: Vec<Suppression>,
        baseline_state: Option<String>,
        fixes: Vec<SarifFix>,
        rank: Option<f64>,
        provenance: Provenance,
        properties: Properties,
    }

    struct ResultMessage {
        text: Option<String>,
        markdown: Option<String>,
        id: Option<String>,
        arguments: Vec<String>,
    }

    struct Location {
        physical_location: PhysicalLocation,
    }

    struct PhysicalLocation {
        artifact_location: ArtifactLocation,
        region: SarifRegion,
        context_region: SarifRegion,
    }

    struct SarifRegion {
        start_line: Option<i64>,
        start_column: Option<i64>,
        end_line: Option<i64>,
        end_column: Option<i64>,
        snippet: Text,
    }

    struct Suppression {
        status: Option<String>,
    }

    struct SarifFix {
        artifact_changes: Vec<ArtifactChange>,
    }

    struct ArtifactChange {
        artifact_location: ArtifactLocation,
        replacements: Vec<Replacement>,
    }

    struct Replacement {
        deleted_region: SarifRegion,
        inserted_content: Text,
    }

    struct Provenance {
        invocation_index: Option<i64>,
    }
}
