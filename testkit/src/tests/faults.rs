//! Faults on the way: what takes effect, what the run hears, what the log says.

use crate::faults::{Effect, Fault, Kind, When};
use crate::github::{Access, GitHub};
use crate::memory::MemoryForge;
use crate::repo::RepoBuilder;
use rereview::forge::{Forge, ForgeError, Permission, Step};
use rereview_core::ids::{PrNumber, Sha};
use rereview_core::writes::{NewReview, ReviewEvent, ThreadChange, ThreadWrite};

const PULL: PrNumber = PrNumber(1);

fn forge() -> (MemoryForge, Sha) {
    let mut repo = RepoBuilder::new();
    let base = repo.commit(&[("a", "1\n")]);
    let head = repo.branch("topic").commit(&[("a", "2\n3\n")]);
    let mut github = GitHub::new(&[("bot[bot]", Permission::None), ("dev", Permission::Read)]);
    github.token("t", "bot[bot]", Access::Write, Access::Write);
    github.open(1, "dev", &base, &head, &repo);
    github.act("dev", 1).comment("a", 1, "one").unwrap();
    github.act("dev", 1).comment("a", 2, "two").unwrap();
    (MemoryForge::new(github, "t"), head)
}

#[tokio::test]
async fn what_a_review_becomes() {
    let no_answer = |cause: &str| ForgeError::Unavailable {
        task: "submit a review".into(),
        cause: cause.into(),
    };
    let lost =
        || ForgeError::Lost { task: "submit a review".into(), cause: "connection reset".into() };
    let refused = ForgeError::Forbidden {
        task: "submit a review".into(),
        permission: "pull-requests: write".into(),
        message: "Resource not accessible by integration".into(),
    };
    let table = [
        (Fault::Refused, 0, refused),
        (Fault::Dropped(Effect::Nothing), 0, lost()),
        (Fault::Dropped(Effect::Everything), 1, lost()),
        (Fault::Unavailable, 0, no_answer("no connection")),
        (Fault::RateLimited { seconds: 60 }, 0, ForgeError::RateLimited { seconds: 60 }),
        (Fault::Killed(Effect::Nothing), 0, no_answer("killed")),
        (Fault::Killed(Effect::Everything), 1, no_answer("killed")),
    ];
    for (fault, made, answer) in table {
        let (forge, head) = forge();
        forge.restart(vec![(When::Write(0), fault)]);
        let review = NewReview {
            commit: head,
            event: ReviewEvent::Comment,
            body: "meta".into(),
            comments: vec![],
        };
        let before = forge.read(PULL).await.unwrap().reviews.len();
        assert_eq!(forge.submit_review(PULL, &review).await, Err(answer), "{fault:?}");
        assert_eq!(forge.github().pull(1).reviews.len() - before, made, "{fault:?}");
        let killed = matches!(fault, Fault::Killed(_));
        assert_eq!(forge.read(PULL).await.is_err(), killed, "{fault:?}");
        assert_eq!((forge.wire().writes(), forge.requests()), (1, if killed { 2 } else { 3 }));
        forge.restart(Vec::new());
        assert!(forge.submit_review(PULL, &review).await.is_ok(), "{fault:?}");
    }
}

#[tokio::test]
async fn what_a_batch_becomes() {
    let lost = || Step::Lost("connection reset".into());
    let refused = || Step::Refused("Resource not accessible by integration".into());
    // Fault, how many of the two are resolved, what is heard of each.
    let table = [
        (None, 2, Some(Step::Done)),
        (Some(Fault::Refused), 0, Some(refused())),
        (Some(Fault::Dropped(Effect::Nothing)), 0, Some(lost())),
        (Some(Fault::Dropped(Effect::Steps(1))), 1, Some(lost())),
        (Some(Fault::Dropped(Effect::Everything)), 2, Some(lost())),
        (Some(Fault::Unavailable), 0, None),
        (Some(Fault::RateLimited { seconds: 1 }), 0, None),
        (Some(Fault::Killed(Effect::Steps(1))), 1, None),
    ];
    for (fault, resolved, heard) in table {
        let (forge, _) = forge();
        let plan = fault.map(|fault| (When::Nth(Kind::WriteThreads, 0), fault));
        forge.restart(plan.into_iter().collect());
        let threads = forge.read(PULL).await.unwrap().threads;
        let resolve = |t: &rereview_core::model::Thread| ThreadWrite {
            thread: t.id.clone(),
            reply: None,
            change: ThreadChange::Resolve,
        };
        let writes: Vec<_> = threads.iter().map(resolve).collect();
        let outcomes = forge.write_threads(PULL, &writes).await;
        let changes =
            outcomes.ok().map(|all| all.into_iter().map(|o| o.change).collect::<Vec<_>>());
        assert_eq!(changes, heard.map(|step| vec![step.clone(), step]), "{fault:?}");
        let state = forge.github();
        let done = state.pull(1).threads.iter().filter(|t| t.resolved_by.is_some()).count();
        assert_eq!(done, resolved, "{fault:?}");
        let wire = forge.wire();
        assert_eq!(wire.log()[1].summary, "resolve PRRT_1, resolve PRRT_2");
        assert_eq!((wire.log()[1].kind, wire.log()[1].fault), (Kind::WriteThreads, fault));
    }
}

#[tokio::test]
async fn a_read_fails_and_comes_back() {
    for fault in [Fault::Unavailable, Fault::Dropped(Effect::Everything)] {
        let (forge, _) = forge();
        forge.restart(vec![(When::Request(1), fault)]);
        assert!(forge.read(PULL).await.is_ok());
        assert!(matches!(forge.read(PULL).await, Err(ForgeError::Unavailable { .. })));
        assert!(forge.read(PULL).await.is_ok());
        assert_eq!((forge.wire().reads(), forge.wire().writes()), (3, 0));
    }
}
