import { expect, test } from "vitest";
import { liesAbout, lyingWith } from "./falsify-response";
import { sampleOf } from "./sample";

test("the lies follow from what was recorded: a field that a response gets later is lied about too", async () => {
  const body = {
    amount: "1.5",
    assets: [
      { symbol: "A", unit: 1 },
      { symbol: "B", unit: 2 },
    ],
  };
  const names = (added: object) =>
    liesAbout([{ route: "GET /x", body: { ...body, ...added }, status: 200 }], []).map(({ name }) => name);
  expect(names({}).filter((name) => name.includes("fee"))).toEqual([]);
  expect(names({ fee: "3" }).filter((name) => name.includes("fee"))).toEqual([
    'GET /x fee: "3000"',
    'GET /x fee: "4"',
    'GET /x fee: "0"',
    "GET /x fee: missing",
    "GET /x fee: null",
  ]);
  const swap = liesAbout([{ route: "GET /x", body, status: 200 }], []).find(({ name }) => name.includes("exchanged"));
  if (!swap) throw new Error("no lie exchanges the symbols");
  const { meddle, hasLied } = lyingWith(swap);
  const response = await meddle(new Request("http://localhost/x"), async () => Response.json(body));
  expect(await response.json()).toEqual({
    ...body,
    assets: [
      { symbol: "B", unit: 1 },
      { symbol: "A", unit: 2 },
    ],
  });
  expect(hasLied()).toBe(true);
});

test("a sample of the lies has the same places in every run, whatever values the responses hold", () => {
  const bodies = ["0x11", "0x22"].map((hash) => ({ id: hash, amount: "1", to: [{ id: hash }, { id: "0x33" }] }));
  const [one, other] = bodies.map((body) => {
    const lies = liesAbout([{ route: "GET /x", body, status: 200 }], []);
    return sampleOf(lies, ({ place }) => place, "seed", 7).map(({ place }) => place);
  });
  expect(one).toEqual(other);
  expect(new Set(one).size).toBe(7);
});
