import type { RuleName } from "@/lib/policy/decide";
import { WORDS } from "@/lib/policy/rules";

/** Why each rule refuses a payment, from the owner's point of view. */
export const REASONS: Record<RuleName, string> = Object.assign(
  { agent_paused: "Agent is paused" },
  ...Object.values(WORDS).map(({ reasons }) => reasons),
);
