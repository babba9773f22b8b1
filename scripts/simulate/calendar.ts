/** A process that serves requests or does jobs. */
export type ServicePart = "web" | "worker" | "web-2" | "worker-2";

const FLEETS: readonly (readonly ServicePart[])[] = [
  ["web", "worker"],
  ["web", "worker", "web-2", "worker-2"],
];

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** How much before something a run arrives at it. */
const BEFORE_MS = 12_000;
/** A chain whose newest block is older than an hour stands still: its next has the clock's time. */
export const LEAST_JUMP_MS = HOUR + 10 * MINUTE;
/** Longer than a run stays at a time, however slow the machine is. */
const CLEAR_MS = 2 * HOUR;

/** A switch to or from daylight-saving time, and where. */
interface Switch {
  at: number;
  zone: string;
}

const SWITCHES: readonly Switch[] = [
  { at: Date.UTC(2027, 2, 28, 1), zone: "Europe/Berlin" },
  { at: Date.UTC(2027, 9, 31, 1), zone: "Europe/Berlin" },
  { at: Date.UTC(2027, 2, 14, 7), zone: "America/New_York" },
  { at: Date.UTC(2027, 10, 7, 6), zone: "America/New_York" },
];

const dates = new Map<string, Intl.DateTimeFormat>();

/** The calendar date of a zone, `2027-03-28`. */
export function dateIn(zone: string, at: number): string {
  let format = dates.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    dates.set(zone, format);
  }
  return format.format(at);
}

/** The first moment of the next day in a zone, to the second. */
export function nextMidnight(zone: string, at: number): number {
  const today = dateIn(zone, at);
  let [from, until] = [at, at + 26 * HOUR];
  while (until - from > 1) {
    const middle = Math.floor((from + until) / 2);
    if (dateIn(zone, middle) === today) from = middle;
    else until = middle;
  }
  return until;
}

/** When a run begins, in which zones its agents' days are counted, and the switch that it comes to. */
export interface Setting {
  start: number;
  zones: readonly [string, string];
  switchAt: number;
  /** The web and worker processes: one of each, or two. */
  services: readonly ServicePart[];
  /** What counts as final on the chain; where it is behind the newest block, those after it may be taken away. */
  finality: Finality;
  /** Whether another node has to agree (RPC_CHECK_URL). */
  hasSecondNode: boolean;
}

type Finality = "latest" | "safe";

/** The evening before clocks change, in the zone where they do and in one where they do not. */
export function settingOf(pick: <T>(list: readonly T[]) => T): Setting {
  const { at, zone } = pick(SWITCHES);
  const zones = [zone, pick(["UTC", "Asia/Kolkata", "Pacific/Kiritimati"])] as const;
  return {
    start: at - 12 * HOUR,
    zones,
    switchAt: at,
    services: pick(FLEETS),
    finality: pick<Finality>(["latest", "safe"]),
    hasSecondNode: pick([false, true]),
  };
}

/** Whether no day begins or ended around then in any of the zones, so that it is certain which day it is. */
export function isClear({ zones }: Setting, at: number): boolean {
  return zones.every(
    (zone) => nextMidnight(zone, at) - at > CLEAR_MS && dateIn(zone, at) === dateIn(zone, at - LEAST_JUMP_MS),
  );
}

/** Moments to go on to, each far enough ahead: some hours later, the switch, and shortly before a midnight. */
export function momentsAfter(setting: Setting, now: number, hours: number): { clear: number[]; near: number[] } {
  let later = now + LEAST_JUMP_MS + hours * HOUR;
  while (!isClear(setting, later)) later += HOUR / 2;
  const switching = setting.switchAt - BEFORE_MS;
  const reachable = (at: number) => at - now >= LEAST_JUMP_MS;
  return {
    clear: reachable(switching) && isClear(setting, switching) ? [later, switching] : [later],
    near: setting.zones.map((zone) => nextMidnight(zone, now) - BEFORE_MS).filter(reachable),
  };
}
