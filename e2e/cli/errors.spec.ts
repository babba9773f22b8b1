import { expect, NOWHERE, test } from "./fixtures";

test("every refusal has the API's code on standard error, the exit status of that code, and moves nothing", async ({
  payer,
  person,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const to = `@${bob.handle}`;
  const cases: [string, string[]][] = [
    ["recipient_not_found", ["send", "--to", "@nobody-has-this", "--amount", "1"]],
    ["recipient_not_found", ["send", "--client-signed", "--to", "@nobody-has-this", "--amount", "1"]],
    ["invalid_request", ["send", "--to", to, "--amount", "1e3"]],
    ["invalid_request", ["send", "--client-signed", "--to", to, "--amount", "0"]],
    ["invalid_request", ["send", "--to", to]],
    ["invalid_request", ["send", "--to", to, "--amount", "1", "--asset", "BTC"]],
    ["invalid_request", ["send", "--to", `@${alice.handle}`, "--amount", "1"]],
    ["invalid_request", ["send", "--client-signed", "--to", alice.address, "--amount", "1"]],
    ["invalid_request", ["send", "--to", to, "--amount", "1", "--memo", "m".repeat(513)]],
    ["invalid_request", ["send", "--client-signed", "--to", to, "--amount", "1", "--memo", "m".repeat(513)]],
    ["insufficient_balance", ["send", "--to", to, "--amount", "10.000001"]],
    ["insufficient_balance", ["send", "--client-signed", "--to", to, "--amount", "10.000001"]],
    ["insufficient_balance", ["make-available", "--amount", "1"]],
    ["insufficient_balance", ["withdraw", "--to", bob.address, "--amount", "11"]],
    ["invalid_request", ["withdraw", "--to", "@bob", "--amount", "1"]],
    ["recipient_not_confidential_ready", ["send", "--to", `0x${"a1".repeat(20)}`, "--amount", "1"]],
    ["recipient_not_confidential_ready", ["send", "--client-signed", "--to", `0x${"a1".repeat(20)}`, "--amount", "1"]],
    ["handle_taken", ["signup", "--handle", bob.handle]],
    ["not_found", ["keys", "revoke", "key_01M7Y0D782DCT0HV92M2GAZR6T"]],
    ["invalid_request", ["keys", "create", "--label", "x", "--expires-in", "soon"]],
    ["invalid_request", ["transfers", "--limit", "101"]],
    ["unauthorized", ["send", "--network", "live", "--to", to, "--amount", "1"]],
    ["invalid_request", ["wallet", "new"]],
    ["invalid_request", ["frobnicate"]],
  ];
  for (const [code, args] of cases) {
    await test.step(args.join(" ").slice(0, 60), async () => {
      expect(await alice.error(args), args.join(" ")).toMatchObject({ code });
    });
  }
  const { transfers } = await alice.json<{ transfers: unknown[] }>("transfers");
  expect(transfers).toEqual([]);
});

test("a service that is not there, and a key that is not there, are said so", async ({ person }) => {
  const alice = await person("alice");
  const gone = await alice.processError(["transfers"], { HALCYON_URL: NOWHERE });
  expect(gone).toMatchObject({ code: "unavailable", message: expect.stringContaining("npm start") });
  const send = ["send", "--to", "@demo", "--amount", "1"];
  expect(await alice.processError(send)).toMatchObject({
    code: "unauthorized",
    message: expect.stringContaining("keys create"),
  });
  const forged = { HALCYON_API_KEY: `hc_test_${"0".repeat(49)}` };
  expect(await alice.processError(send, forged)).toMatchObject({ code: "unauthorized" });
});
