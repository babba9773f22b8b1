import { spendingState } from "@/lib/policy/counting";
import { decide } from "@/lib/policy/decide";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { addSpent, spentOnDay } from "@/lib/policy/spent";
import { closedLoop, type Measured } from "./measure";

const RUNS = 5000;
const RECIPIENTS = 1000;

interface PolicyFigures {
  /** Decides a payment to a recipient that none of 1,000 entries matches, so that each is checked. */
  decide_1000_recipients: Measured;
  /** Computes the day's spending from counters with a payment in every quarter of an hour. */
  spent_on_day: Measured;
  goals: Record<string, string>;
}

/** Times are in milliseconds. */
export async function run(): Promise<PolicyFigures> {
  const policy: SpendPolicy = {
    ...DENY_ALL,
    dailyLimit: 10n ** 12n,
    perTransactionLimit: 10n ** 12n,
    hitlThreshold: 10n ** 12n,
    // One third each are handles, addresses and wildcards.
    allowedRecipients: Array.from({ length: RECIPIENTS }, (_, i) => {
      const address = `0x${i.toString(16).padStart(40, "0")}`;
      return [`@payee-${i}`, address, `*.shop-${i}.example.com`][i % 3] ?? address;
    }),
    activeHours: "22:00-20:00",
    timeZone: "Europe/Zurich",
  };
  const recipient = { handle: "till.shop.example.com", address: `0x${"ff".repeat(20)}` };
  const at = new Date();
  let counters: Uint8Array | undefined;
  for (let quarter = 110; quarter >= 0; quarter--) {
    counters = addSpent(counters, new Date(at.getTime() - quarter * 900_000), 1_000_000n);
  }
  const time = (work: () => unknown) => closedLoop(1, RUNS, async () => void work());
  const payment = { asset: "USDG", amount: 1_000_000n, recipient } as const;
  const standing = spendingState(policy, false, counters, payment, at);
  if (decide(policy, standing, payment, at).outcome !== "denied") throw new Error("a stranger was not refused");
  return {
    decide_1000_recipients: await time(() => decide(policy, standing, payment, at)),
    spent_on_day: await time(() => spentOnDay(counters, policy.timeZone, at)),
    goals: { decide_1000_recipients_p99_ms: "< 1" },
  };
}
