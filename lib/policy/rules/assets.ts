import { POLICY_ASSETS } from "@/lib/policy/amount-limits";
import { readList } from "@/lib/policy/read-limit";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

/** The most entries that are read, also of entries that repeat. */
const MAX_ENTRIES = 100;

/** The assets that it may spend. */
export const assets: RuleDeclaration<"assets", "assets", "assets"> = {
  name: "assets",
  field: "assets",
  unset: ["USDG"],
  read: (value, refuse) => {
    const symbols = readList(value, MAX_ENTRIES, "assets", refuse, (symbol, fault) => {
      return POLICY_ASSETS.find((known) => known === symbol) ?? fault('Send "USDG" or "ETH".');
    });
    return symbols && [...new Set(symbols)];
  },
  encode: (policy, document) => {
    for (const asset of policy.assets) document.assets[asset].allowed = true;
  },
  loosens: (before, after) => !after.assets.every((asset) => before.assets.includes(asset)),
};

export const assetsService = {
  kind: "assets",
  write: (policy) => [...policy.assets],
  decode: (document) => POLICY_ASSETS.filter((asset) => document.assets[asset].allowed),
  commitment: "limits",
  blind: "chain",
  checks: {
    asset_not_allowed: { stage: "asset", passes: (policy, { asset }) => policy.assets.includes(asset) },
  },
} satisfies RuleService<"assets">;

export const assetsWords: RuleWords<keyof typeof assetsService.checks> = {
  label: "Assets",
  section: "assets",
  brief: (policy) => policy.assets.join(", ") || "None",
  reasons: { asset_not_allowed: "Asset not allowed" },
};

export const assetsReference: RuleReference<keyof typeof assetsService.checks> = {
  description: "The assets that the agent can spend.",
  option: { flags: "--assets <symbols>", help: "such as USDG,ETH" },
  refusals: { asset_not_allowed: "The agent's policy does not allow this asset." },
};
