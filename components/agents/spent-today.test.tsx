import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import { SpentToday } from "./spent-today";

let unlocked: boolean;
let asked: number;
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ status: unlocked ? "unlocked" : "locked" }),
  useDecrypted: (_: string, { agents }: { agents: { handle: string }[] }) => {
    asked = agents.length;
    return {
      data: unlocked
        ? agents.map(({ handle }) => ({ handle, assets: [{ asset: "USDG", spent: "7.5" }], error: null }))
        : undefined,
      isError: false,
    };
  },
}));

const policy = { daily_limit_usdg: "20", limits: {}, assets: ["USDG"], time_zone: "UTC" } as unknown as PolicyFields;
const agents = Array.from({ length: 7 }, (_, at) => ({ account_id: `acc_${at}`, handle: `@lin/a${at}`, policy }));
const text = (shown: typeof agents) =>
  renderToStaticMarkup(<SpentToday path="/test/agents" agents={shown} />)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

beforeEach(() => {
  unlocked = true;
});

test("the overview shows what active agents have used of their daily limits, five at most", () => {
  expect(text(agents)).toMatch(/All 7 agents .*7\.50.* USDG 12\.50 left/);
  expect(asked).toBe(5);
});

test("while locked, the limits show and no figure does", () => {
  unlocked = false;
  const shown = text(agents.slice(0, 1));
  expect(shown).toMatch(/of 20\.00/);
  expect(shown).not.toContain("7.5");
});

test.each([
  ["a limit of zero", { daily_limit_usdg: "0" }],
  ["an asset that it may not pay in", { assets: ["ETH"], limits: { ETH: { daily: "1" } } }],
])("an agent with %s may spend none, and nothing is said to be left", (_, more) => {
  const [agent] = agents;
  const shown = [{ ...agent, policy: { ...policy, ...more } }] as typeof agents;
  expect(text(shown)).toMatch(/7\.50.* USDG may spend none/);
  unlocked = false;
  expect(text(shown)).toContain("may spend none");
  expect(text(shown)).not.toMatch(/of (0|20)\.00/);
});

test("an account without active agents has no such card", () => {
  expect(text([])).toBe("");
});
