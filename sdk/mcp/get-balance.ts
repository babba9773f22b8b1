import { z } from "zod";
import { tool } from "./tool";

export const getBalance = tool({
  name: "get_balance",
  title: "See whether there is money",
  description:
    "Whether this agent holds anything of each asset it has ever held. No amounts: only the owner's wallet decrypts those. " +
    "`above_zero: false` means that every payment in that asset would fail; `true` does not mean that a given payment is covered, " +
    "and counts received money that the owner has not made available yet. To learn whether a payment is covered, send it: " +
    "`insufficient_balance` moves nothing. Do not try smaller amounts to find out how much there is.",
  input: z.strictObject({}),
  output: z.object({ balances: z.array(z.object({ asset: z.string(), above_zero: z.boolean() })) }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run(agent) {
    const { balances } = await agent.balances();
    return { balances: balances.map(({ asset, above_zero = false }) => ({ asset, above_zero })) };
  },
  say({ balances }) {
    const held = balances.filter(({ above_zero }) => above_zero).map(({ asset }) => asset);
    return held.length === 0
      ? "This agent holds no money."
      : `This agent holds ${held.join(" and ")}; how much is not visible.`;
  },
});
