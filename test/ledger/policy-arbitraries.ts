import fc from "fast-check";
import { type AmountLimits, POLICY_ASSETS } from "@/lib/policy/amount-limits";
import { COUNTS, type CountName, type SpendingState } from "@/lib/policy/counting";
import type { Kind, Kinds } from "@/lib/policy/rule";
import { RULES, SERVICE } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** Inputs for property tests of the policy engine, from small pools so that rules often match. */
const ZONES = [
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Africa/Cairo",
  "Antarctica/Troll",
  "America/Havana",
];

export const zone = fc.constantFrom(...ZONES);

/** Any time in the two years, to the millisecond. */
export const instant = fc.date({
  min: new Date("2026-01-01T00:00:00Z"),
  max: new Date("2027-12-31T23:59:59Z"),
  noInvalidDate: true,
});

const pad = (value: number) => String(value).padStart(2, "0");
export const clock = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;

export const activeHours = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 1440 }))
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => `${clock(start)}-${clock(end)}`);

const label = fc.constantFrom("ape", "bee", "shop", "a-b", "x11");
export const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
export const address = fc.constantFrom("a1", "b2", "c3").map((byte) => `0x${byte.repeat(20)}`);

/** Handles as stored: accounts, domains, and agents of either. */
export const handle = fc.oneof(
  domain,
  fc.tuple(domain, fc.constantFrom("bot", "pay")).map(([owner, name]) => `${owner}/${name}`),
);

export const recipient = fc.record({ handle: fc.option(handle), address });

export const allowedRecipient = fc.oneof(
  { arbitrary: handle.map((text) => `@${text}`), weight: 4 },
  { arbitrary: address, weight: 2 },
  { arbitrary: domain.filter((text) => text.includes(".")).map((text) => `*.${text}`), weight: 4 },
  { arbitrary: fc.constant("*"), weight: 1 },
);

const units = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 15n));
export const amount = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 15n));
const limits: fc.Arbitrary<AmountLimits> = fc.record({ daily: units, perTransaction: units, hitlThreshold: units });

const recipientLimit = fc
  .record({ recipient: allowedRecipient, perTransaction: fc.option(units), monthly: fc.option(units) })
  .filter(({ perTransaction, monthly }) => perTransaction !== null || monthly !== null);

const values: { [K in Kind]: fc.Arbitrary<Kinds[K]["value"]> } = {
  money: units,
  "optional money": fc.option(units),
  count: fc.option(fc.integer({ min: 0, max: 5 })),
  recipients: fc.array(allowedRecipient, { maxLength: 6 }),
  assets: fc.subarray([...POLICY_ASSETS]),
  hours: fc.oneof(fc.constant("00:00-24:00"), activeHours),
  zone: zone,
  "asset limits": fc.option(limits, { nil: undefined }).map((ETH) => (ETH ? { ETH } : {})),
  "recipient limits": fc.uniqueArray(recipientLimit, { maxLength: 3, selector: ({ recipient: entry }) => entry }),
  switch: fc.boolean(),
};

export const policy = fc.record(
  Object.fromEntries(RULES.map(({ name, field }) => [name, values[SERVICE[field].kind] as fc.Arbitrary<unknown>])),
) as unknown as fc.Arbitrary<SpendPolicy>;

export const payment = fc.record({
  asset: fc.constantFrom(...POLICY_ASSETS),
  amount,
  recipient,
  isExact: fc.boolean(),
});

const counts = Object.entries(COUNTS).map(([name, { adds }]) => {
  return [name, adds(2n) === 1n ? fc.bigInt(0n, 6n) : units] as const;
});
export const standing: fc.Arbitrary<SpendingState> = fc
  .tuple(fc.boolean(), fc.record(Object.fromEntries(counts) as Record<CountName, fc.Arbitrary<bigint>>))
  .map(([paused, counted]) => ({ paused, ...counted }));
