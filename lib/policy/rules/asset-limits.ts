import { formatAmount } from "@/lib/base/money";
import { type AmountLimits, limitsOf } from "@/lib/policy/amount-limits";
import { readObject, readUnits, within } from "@/lib/policy/read-limit";
import type { Refuse, RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

const NAMES = ["daily", "perTransaction", "hitlThreshold"] as const satisfies (keyof AmountLimits)[];

function readLimits(value: unknown, refuse: Refuse): AmountLimits | undefined {
  const limits = readObject(value, ["daily", "per_transaction", "hitl_threshold"], refuse);
  const read = (name: "daily" | "per_transaction" | "hitl_threshold") => {
    const text = limits?.[name];
    return readUnits(typeof text === "string" ? text : "", 9, "string", within(refuse, name)) ?? 0n;
  };
  return (
    limits && { daily: read("daily"), perTransaction: read("per_transaction"), hitlThreshold: read("hitl_threshold") }
  );
}

/** Limits of assets other than USDG. An asset without an entry has limits of zero. */
export const assetLimits: RuleDeclaration<"limits", "limits", "asset limits"> = {
  name: "limits",
  field: "limits",
  unset: {},
  read: (value, refuse) => {
    const limits = readObject(value, ["ETH"], refuse);
    if (limits?.ETH === undefined) return {};
    const ETH = readLimits(limits.ETH, within(refuse, "ETH"));
    return ETH && { ETH };
  },
  encode: (policy, { assets }) => {
    const { daily, perTransaction, hitlThreshold } = limitsOf(policy, "ETH");
    Object.assign(assets.ETH, { daily, perPayment: perTransaction, threshold: hitlThreshold });
  },
  loosens: (before, after) => {
    const [old, now] = [limitsOf(before, "ETH"), limitsOf(after, "ETH")];
    return after.assets.includes("ETH") && NAMES.some((name) => now[name] > old[name]);
  },
};

/** The daily limit, the limit per payment and the threshold decide by it. */
export const assetLimitsService = {
  kind: "asset limits",
  write: ({ limits: { ETH } }) => {
    if (!ETH) return {};
    const text = (units: bigint) => formatAmount(units, 9);
    const { daily, perTransaction, hitlThreshold } = ETH;
    return {
      ETH: { daily: text(daily), per_transaction: text(perTransaction), hitl_threshold: text(hitlThreshold) },
    };
  },
  decode: ({ assets: { ETH } }) => {
    return { ETH: { daily: ETH.daily, perTransaction: ETH.perPayment, hitlThreshold: ETH.threshold } };
  },
  commitment: "limits",
  blind: "chain",
  checks: {},
} satisfies RuleService<"asset limits">;

export const assetLimitsWords: RuleWords<never> = {
  label: "ETH limits",
  section: "assets",
  brief: ({ limits: { ETH } }) =>
    ETH ? `${ETH.daily} a day, ${ETH.per_transaction} at a time, ask above ${ETH.hitl_threshold}` : "None",
  reasons: {},
};

export const assetLimitsReference: RuleReference<never> = {
  description: "Limits for assets other than USDG, as decimal strings.",
  refusals: {},
};
