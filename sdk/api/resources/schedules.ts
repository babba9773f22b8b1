/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** The fields to change. What is due already stays as it is. */
export interface ChangeSchedule {
  /** `paused` stops it, `active` resumes it. Dates that pass meanwhile are left out. */
  status?: "active" | "paused";
  rule?: ScheduleRule;
  /** The payments of each run, up to 16 of one asset: all are made, or none. */
  payments?: {
    /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
    to: string;
    /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
    amount: string;
    /** A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8. */
    memo?: string;
  }[];
  /** Symbol of the asset. */
  asset?: "USDG" | "ETH";
  /** Your name for it, encrypted with it. */
  name?: string;
  /** Whether an unlocked dashboard pays its runs without asking. */
  automatic?: boolean;
  /** How long a run can be paid after it is due. Three days if omitted at creation. */
  window_seconds?: number;
  /** The version you read. If the schedule has another one, you get `schedule_changed`. */
  version?: number;
  /** The next version, encrypted on your device, in place of the other fields. A session must send it. */
  encrypted?: EncryptedScheduleVersion;
}

/** A schedule: `rule` and `payments`, which the service encrypts while the request is open, or `encrypted`. */
export interface CreateSchedule {
  rule?: ScheduleRule;
  /** The payments of each run, up to 16 of one asset: all are made, or none. */
  payments?: {
    /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
    to: string;
    /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
    amount: string;
    /** A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8. */
    memo?: string;
  }[];
  /** Symbol of the asset. USDG if omitted. */
  asset?: "USDG" | "ETH";
  /** Your name for it, encrypted with it. */
  name?: string;
  /** Whether an unlocked dashboard pays its runs without asking. */
  automatic?: boolean;
  /** How long a run can be paid after it is due. Three days if omitted at creation. */
  window_seconds?: number;
  /** With `encrypted`: the id under which your client has encrypted it. */
  schedule_id?: string;
  /** The schedule, encrypted on your device, in place of the other fields. A session must send it. */
  encrypted?: EncryptedScheduleVersion;
}

/** A version of a schedule that your client has encrypted. The SDK creates it. */
export interface EncryptedScheduleVersion {
  /** The version that this is: 1, or one more than the schedule has. */
  version: number;
  /** Version of the account secret under which it is encrypted. */
  secret_version: number;
  /** The encrypted schedule. */
  ciphertext: `0x${string}`;
  /** How long a run can be paid after it is due. Three days if omitted at creation. */
  window_seconds: number;
  /** Whether it pays. A schedule without dates ahead is finished. */
  status: "active" | "paused";
  /** The dates that are due, and the next one. */
  runs: {
    /** The date of the schedule's rule. */
    date: string;
    /** When its payments are due. ISO 8601 with a time zone. */
    due_at: string;
  }[];
  /** Whether no dates follow these. */
  is_last: boolean;
  /** A date that this version leaves out. */
  skipped?: string;
}

/** How to pay a run. */
export interface PayRun {
  /** `true` pays a run that was missed, or whose schedule is paused. Defaults to `false`. */
  late?: boolean;
  /** The newest version you have seen. If the service has an older one, nothing is paid. */
  version?: number;
}

/** You can omit the body: the API key then decrypts the schedule. */
export interface PlanRuns {
  /**
   * The dates, if your client has decrypted the schedule. If omitted, the service decrypts it with the API key. A
   * session must send it.
   */
  plan?: RunPlan;
}

/** The next dates of a schedule that your client has decrypted. */
export interface RunPlan {
  /** The version you decrypted. */
  version: number;
  /** The dates that are due, and the next one. */
  runs: {
    /** The date of the schedule's rule. */
    date: string;
    /** When its payments are due. ISO 8601 with a time zone. */
    due_at: string;
  }[];
  /** Whether no dates follow these. */
  is_last: boolean;
}

/** A schedule. When, whom and how much it pays is encrypted. */
export interface Schedule {
  /** Identifies the schedule. */
  schedule_id: string;
  /**
   * `finished`: no date is left; its text is deleted once all is paid. `ended`: you ended it, and its text is deleted.
   */
  status: "active" | "paused" | "finished" | "ended";
  /** Counts from 1, one more at each change. */
  version: number;
  /** How long a run can be paid after it is due. */
  window_seconds: number;
  /**
   * The next run. null when the schedule is not active, and until a client that holds a key has said which date comes
   * next.
   */
  next_run: ScheduleRun | null;
  /** The runs that are due or being paid, oldest first. */
  due_runs: ScheduleRun[];
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The encrypted schedule; only with `include=encrypted`. */
  encrypted?: {
    /** The encrypted schedule: 0x and hex. */
    ciphertext: string;
    /** Version of the account secret that decrypts it. */
    secret_version: number;
    /** The date of its newest run; null without one. */
    last_date: string | null;
  };
}

/** Schedules, newest first. */
export interface ScheduleList {
  /** The schedules of this page. */
  schedules: Schedule[];
  /** Number of entries requested. */
  limit: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** When a schedule pays. */
export interface ScheduleRule {
  /** How often it pays. */
  frequency: "once" | "daily" | "weekly" | "monthly" | "yearly";
  /** Pays every so many days, weeks, months or years. 1 if omitted. */
  interval?: number;
  /** Weekly: the days it pays on. If omitted, the day of the week of `start`. */
  weekdays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
  /** Monthly and yearly: the day of the month. In a shorter month, its last day. If omitted, the day of `start`. */
  day?: number | "last";
  /** Monthly and yearly, with `weekday` and in place of `day`: which of the month's weekdays. */
  nth?: 1 | 2 | 3 | 4 | "last";
  /** The day of the week that `nth` counts. */
  weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
  /** Yearly: the month, 1 to 12. If omitted, the month of `start`. */
  month?: number;
  /** The first date that counts. */
  start: string;
  /** The time of day, `HH:MM`. 09:00 if omitted. */
  time?: string;
  /** An IANA time zone. UTC if omitted. */
  time_zone?: string;
  /**
   * What happens to a date on a Saturday or Sunday: `keep` it, pay on the Friday `before`, or on the Monday `after`.
   */
  weekends?: "keep" | "before" | "after";
  /** Ends after so many dates. */
  count?: number;
  /** Ends after this date. */
  until?: string;
}

/** One date of a schedule. */
export interface ScheduleRun {
  /** Identifies the run. */
  run_id: string;
  /** The schedule it belongs to. */
  schedule_id: string;
  /** The date of the schedule's rule. A weekend may move the payment to another day. */
  date: string;
  /** When it is due. */
  due_at: string;
  /** Until when it can be paid without your consent. */
  window_ends_at: string;
  /**
   * `planned`: the next one. `due`: a client that holds a key pays it. `paying`: its transfers are not final yet.
   * `paid`. `missed`: no client paid it within its window. `skipped`: you left it out. `cancelled`: the schedule ended
   * before it was paid.
   */
  status: "planned" | "due" | "paying" | "paid" | "missed" | "skipped" | "cancelled";
  /**
   * Of a run that is due: the error code of the newest attempt to pay it, such as `insufficient_balance`, or
   * `transfer_failed`; null without one.
   */
  failure: string | null;
  /** When its transfers became final. */
  paid_at: string | null;
}

/** One date of a schedule, with its transfers. */
export interface ScheduleRunDetails {
  /** Identifies the run. */
  run_id: string;
  /** The schedule it belongs to. */
  schedule_id: string;
  /** The date of the schedule's rule. A weekend may move the payment to another day. */
  date: string;
  /** When it is due. */
  due_at: string;
  /** Until when it can be paid without your consent. */
  window_ends_at: string;
  /**
   * `planned`: the next one. `due`: a client that holds a key pays it. `paying`: its transfers are not final yet.
   * `paid`. `missed`: no client paid it within its window. `skipped`: you left it out. `cancelled`: the schedule ended
   * before it was paid.
   */
  status: "planned" | "due" | "paying" | "paid" | "missed" | "skipped" | "cancelled";
  /**
   * Of a run that is due: the error code of the newest attempt to pay it, such as `insufficient_balance`, or
   * `transfer_failed`; null without one.
   */
  failure: string | null;
  /** When its transfers became final. */
  paid_at: string | null;
  /** The transfers of every attempt, oldest first. */
  transfers: {
    /** Identifies the transfer. */
    transfer_id: string;
    /** The recipient, as the schedule names it. */
    to: string;
    /** The status of the transfer. */
    status: "pending" | "confirmed" | "failed";
    /** Hash of the transaction on chain. */
    tx_hash: `0x${string}`;
  }[];
}

/** Runs of a schedule, latest date first. */
export interface ScheduleRunList {
  /** The runs of this page. */
  runs: ScheduleRun[];
  /** Number of entries requested. */
  limit: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** Which date to leave out. */
export interface SkipRun {
  /** The date to leave out: the next one, or one that is due. If omitted, the next. */
  date?: string;
  /** The version you read. If the schedule has another one, you get `schedule_changed`. */
  version?: number;
}

/** A schedule, and its next dates. */
export interface WrittenSchedule {
  /** Identifies the schedule. */
  schedule_id: string;
  /**
   * `finished`: no date is left; its text is deleted once all is paid. `ended`: you ended it, and its text is deleted.
   */
  status: "active" | "paused" | "finished" | "ended";
  /** Counts from 1, one more at each change. */
  version: number;
  /** How long a run can be paid after it is due. */
  window_seconds: number;
  /**
   * The next run. null when the schedule is not active, and until a client that holds a key has said which date comes
   * next.
   */
  next_run: ScheduleRun | null;
  /** The runs that are due or being paid, oldest first. */
  due_runs: ScheduleRun[];
  /** When it was created. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The encrypted schedule; only with `include=encrypted`. */
  encrypted?: {
    /** The encrypted schedule: 0x and hex. */
    ciphertext: string;
    /** Version of the account secret that decrypts it. */
    secret_version: number;
    /** The date of its newest run; null without one. */
    last_date: string | null;
  };
  /** The next five dates. The service does not keep them, and knows none of a schedule that you encrypted. */
  next_dates: {
    /** The date of the schedule's rule. A weekend may move the payment to another day. */
    date: string;
    /** When it will be due. */
    due_at: string;
  }[];
}
