//! A health care system: a tree of villages, each with a hospital. Patients who cannot be helped
//! are sent to the hospital above. Every day is simulated with a task for each village.

use rosser::finish;

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

const ASSESSMENT: u32 = 2;
const CONVALESCENCE: u32 = 12;
const GETS_SICK: f64 = 0.002;
const NEEDS_TREATMENT: f64 = 0.1;
const IS_SENT_UP: f64 = 0.15;
/// Inhabitants of a village of the lowest level; twice as many on each level above.
const INHABITANTS: u32 = 10;

struct Patient {
    id: u64,
    days_left: u32,
    days_waited: u64,
}

struct Village {
    is_top: bool,
    random: Random,
    inhabitants: Vec<Patient>,
    waiting: Vec<Patient>,
    assessed: Vec<Patient>,
    inside: Vec<Patient>,
    /// On their way to the hospital above.
    sent_up: Vec<Patient>,
    /// How many the villages below have sent here.
    received: u64,
    free_personnel: u32,
    below: Vec<Village>,
}

/// Simulates some days, during which nobody may get lost.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (levels, cities, days) = size.pick((3, 3, 20), (4, 12, 365), (4, 18, 365));
    let mut ids = 0;
    let mut top = Village::new(levels, cities, &mut ids);
    top.is_top = true;
    let mut nobody = 0;
    for _ in 0..days {
        top.simulate(Shared::one(&mut nobody), racy);
    }
    let mut all = Vec::new();
    top.collect(&mut all);
    all.sort_unstable();
    let lost = all.iter().map(|&(id, ..)| id).ne(0..ids);
    ensure(!lost, "a patient got lost")?;
    Ok(digest(all.iter().flat_map(|&(id, waited, received)| [id, waited, received])))
}

impl Village {
    fn new(level: u32, cities: u32, ids: &mut u64) -> Self {
        let first = *ids;
        *ids += u64::from(INHABITANTS << level);
        let inhabitants =
            (first..*ids).map(|id| Patient { id, days_left: 0, days_waited: 0 }).collect();
        let below = if level == 1 { 0 } else { cities };
        Self {
            is_top: false,
            random: Random::new(first + 1),
            inhabitants,
            waiting: Vec::new(),
            assessed: Vec::new(),
            inside: Vec::new(),
            sent_up: Vec::new(),
            received: 0,
            free_personnel: 1 << level,
            below: (0..below).map(|_| Self::new(level - 1, cities, ids)).collect(),
        }
    }

    /// One day. `above` is where the hospital above counts whom it receives.
    fn simulate(&mut self, above: Shared<u64>, racy: bool) {
        let mut below = std::mem::take(&mut self.below);
        let received = Shared::one(&mut self.received);
        finish(|s| {
            for village in &mut below {
                s.spawn(move |_| village.simulate(received, racy));
            }
            self.discharge();
            self.treat();
            self.assess();
        });
        for village in &mut below {
            if !racy {
                self.received += village.sent_up.len() as u64;
            }
            self.waiting.append(&mut village.sent_up);
        }
        self.below = below;
        self.fall_ill();
        if racy {
            // The bug: a village counts at the hospital above, as do the others.
            // SAFETY: there is none.
            unsafe { *above.get() += self.sent_up.len() as u64 } // race: counts may get lost
        }
    }

    fn discharge(&mut self) {
        for mut patient in std::mem::take(&mut self.inside) {
            patient.days_left -= 1;
            if patient.days_left == 0 {
                self.free_personnel += 1;
                self.inhabitants.push(patient);
            } else {
                self.inside.push(patient);
            }
        }
    }

    fn treat(&mut self) {
        for mut patient in std::mem::take(&mut self.assessed) {
            patient.days_left -= 1;
            if patient.days_left > 0 {
                self.assessed.push(patient);
            } else if self.random.unit() >= NEEDS_TREATMENT {
                self.free_personnel += 1;
                self.inhabitants.push(patient);
            } else if self.is_top || self.random.unit() >= IS_SENT_UP {
                patient.days_left = CONVALESCENCE;
                self.inside.push(patient);
            } else {
                self.free_personnel += 1;
                self.sent_up.push(patient);
            }
        }
    }

    fn assess(&mut self) {
        for mut patient in std::mem::take(&mut self.waiting) {
            if self.free_personnel > 0 {
                self.free_personnel -= 1;
                patient.days_left = ASSESSMENT;
                self.assessed.push(patient);
            } else {
                patient.days_waited += 1;
                self.waiting.push(patient);
            }
        }
    }

    fn fall_ill(&mut self) {
        for patient in std::mem::take(&mut self.inhabitants) {
            if self.random.unit() < GETS_SICK {
                self.waiting.push(patient);
            } else {
                self.inhabitants.push(patient);
            }
        }
    }

    /// Everybody, with how long they have waited and whom their village has received.
    fn collect(&self, all: &mut Vec<(u64, u64, u64)>) {
        let lists = [&self.inhabitants, &self.waiting, &self.assessed, &self.inside, &self.sent_up];
        let here = lists.into_iter().flatten();
        all.extend(here.map(|patient| (patient.id, patient.days_waited, self.received)));
        self.below.iter().for_each(|village| village.collect(all));
    }
}
