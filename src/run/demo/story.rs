//! The story: what is pushed and what people do, scene by scene.

/// Something that happens before rereview runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A commit on the branch: these files, whole.
    Push(&'static [(&'static str, &'static str)]),
    /// The branch rewritten as one commit on the base: the old commits are gone.
    ForcePush(&'static [(&'static str, &'static str)]),
    /// Somebody resolves the newest thread of a class.
    Resolve(&'static str, &'static str),
    /// Somebody answers in the newest thread of a class.
    Reply(&'static str, &'static str, &'static str),
    /// From now on the token may not resolve threads.
    LoseRights,
    /// From now on it may again.
    RegainRights,
    /// The next report speaks of this file only.
    ReportOnly(&'static str),
}

/// One run of rereview and what led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    /// One line.
    pub(super) title: &'static str,
    /// What happens before the run.
    pub(super) events: &'static [Event],
    /// The rows of the table that it shows.
    pub(super) rows: &'static [u32],
}

pub(super) const AUTHOR: &str = "casey";
pub(super) const MAINTAINER: &str = "maya";

const APP: &str = "src/app.py";
const JOBS: &str = "src/jobs.py";

pub(super) const BASE: &[(&str, &str)] = &[
    ("README.md", "# Orders\n\nTakes orders and ships them.\n"),
    (
        APP,
        "import json\n\n\ndef load(text):\n    return json.loads(text)\n\n\ndef total(order):\n    \
         return sum(line.price for line in order.lines)\n",
    ),
    (JOBS, "def ship(order):\n    order.ship()\n"),
];

const APP_1: &str = "import json\n\n\ndef load(text):\n    return eval(text)\n\n\n\
def total(order):\n    try:\n        return sum(line.price for line in order.lines)\n    \
except:\n        return 0\n";
const JOBS_1: &str = "PASSWORD = \"hunter2\"\n\n\ndef ship(order):\n    print(order)\n    \
order.ship()\n";

const APP_2: &str = "import json\n\n# The orders of a day.\n\n\ndef load(text):\n    \
return json.loads(text)\n\n\ndef total(order):\n    try:\n        \
return sum(line.price for line in order.lines)\n    except:\n        return 0\n";

const APP_3: &str = "import json\n\n# The orders of a day.\n\n\ndef load(text):\n    \
return eval(text)\n\n\ndef total(order):\n    try:\n        \
return sum(line.price for line in order.lines)\n    except:\n        return 0\n";

const APP_4: &str = "import json\n\n# The orders of a day.\n\n\ndef load(text):\n    \
return exec(text)\n\n\ndef total(order):\n    try:\n        \
return sum(line.price for line in order.lines)\n    except:\n        return 0\n";

const APP_5: &str = "import json\n\n# The orders of a day.\n\n\ndef load(text):\n    \
return exec(text)\n\n\ndef total(order):\n    \
return sum(line.price for line in order.lines)\n";

pub(super) const SCENES: &[Scene] = &[
    Scene {
        title: "casey opens a pull request; the linter finds four things",
        events: &[Event::Push(&[(APP, APP_1), (JOBS, JOBS_1)])],
        rows: &[14],
    },
    Scene { title: "the same head again: nothing is said twice", events: &[], rows: &[7] },
    Scene {
        title: "casey removes the eval; every line below it moves",
        events: &[Event::Push(&[(APP, APP_2)])],
        rows: &[7, 8],
    },
    Scene {
        title: "casey resolves the password's thread, but the password is still there",
        events: &[Event::Resolve(AUTHOR, "hardcoded-password")],
        rows: &[4, 10],
    },
    Scene {
        title: "casey answers that the print is wanted; a human is called, once",
        events: &[Event::Reply(AUTHOR, "print", "This output is wanted: the job's log shows it.")],
        rows: &[6],
    },
    Scene {
        title: "maya, a maintainer, rules: she resolves the print's thread",
        events: &[Event::Resolve(MAINTAINER, "print")],
        rows: &[2],
    },
    Scene { title: "the eval is back", events: &[Event::Push(&[(APP, APP_3)])], rows: &[3] },
    Scene {
        title: "the eval becomes an exec: another defect where one was just fixed",
        events: &[Event::Push(&[(APP, APP_4)])],
        rows: &[8, 12],
    },
    Scene {
        title: "the bare except goes, while the token may not resolve threads",
        events: &[Event::LoseRights, Event::Push(&[(APP, APP_5)])],
        rows: &[8],
    },
    Scene {
        title: "the token may again: the thread is closed without another word",
        events: &[Event::RegainRights],
        rows: &[9],
    },
    Scene {
        title: "a report that speaks of one file proves nothing about the other",
        events: &[Event::ReportOnly(APP)],
        rows: &[11],
    },
    Scene {
        title: "casey rewrites the branch: old threads hang on commits that are gone",
        events: &[Event::ForcePush(&[(APP, APP_5), (JOBS, JOBS_1)])],
        rows: &[5],
    },
];
