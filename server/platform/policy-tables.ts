import type { Generated } from 'kysely';

/** The tables of rules, YOLO and deciders, a part of `Schema`. */
export type PolicyTables = {
  policies: {
    id: string;
    person_id: string | null;
    version: number;
    rules: string;
    changed_at: number;
    made_by: string | null;
  };
  yolos: {
    id: string;
    person_id: string;
    choices: string;
    started_at: number;
    until_at: number;
    made_by: string;
    ended_at: number | null;
    stopped_by: string | null;
    seen_at: number | null;
    settled_count: Generated<number>;
  };
  deciders: {
    id: string;
    name: string;
    config: string;
    sealed: string | null;
    changed_at: number;
    made_by: string | null;
  };
  proposals: {
    id: string;
    inquiry_id: string;
    decider_id: string;
    decider_name: string;
    why: string;
    state: string;
    at: number;
    answer: string | null;
    /** When it counts; null: it only suggests. */
    decides_at: number | null;
    /** The device on which somebody asked for it. */
    asked_by: string | null;
    problem: string | null;
    /** When something is to be done with it: it is asked, taken up again, or decides; null: nothing. */
    due_at: number | null;
    /** Until when an answer is waited for; null: not taken up yet, and nobody waits for it. */
    gives_up_at: number | null;
    /** The rule that asked it, as JSON, while nobody was woken. */
    rule: string | null;
  };
  decider_runs: {
    id: string;
    inquiry_id: string;
    decider_id: string;
    decider_name: string;
    why: string;
    at: number;
    sent: string;
    received: string;
    answer: string | null;
    problem: string | null;
    ms: number;
    tokens_in: number | null;
    tokens_out: number | null;
  };
};
