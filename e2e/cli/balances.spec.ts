import { run } from "../halcyon";
import { expect, test } from "./fixtures";

test("a proof made here opens the balance to the endpoint, over a real GET with a body", async ({
  payer,
  person,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "100"), await person("bob")];
  expect(await alice.error(["balances"])).toMatchObject({ code: "kyc_required" });
  await alice.json("kyc", "verify");
  expect(await alice.json("balances")).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });

  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "30.25");
  await alice.json("faucet", "--amount", "7");
  const { decryption_proof } = await alice.json<{ decryption_proof: string }>("proof");
  const response = await run("curl", [
    "-s",
    "-X",
    "GET",
    `${baseURL}/v1/accounts/me/balances`,
    "-H",
    `Authorization: Bearer ${alice.apiKey}`,
    "-d",
    JSON.stringify({ decryption_proof }),
  ]);
  expect(JSON.parse(response.stdout)).toEqual({ balances: [{ asset: "USDG", amount: "76.75" }], undecrypted_notes: 0 });
  expect(await alice.json("balances", "--proof")).toEqual(JSON.parse(response.stdout));

  // From notes: bob has nothing else.
  await bob.json("kyc", "verify");
  expect(await bob.json("balances", "--proof")).toEqual({
    balances: [{ asset: "USDG", amount: "30.25" }],
    undecrypted_notes: 0,
  });

  // Money moved, so the available balance word in the proof is no longer current.
  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
  const stale = await run("curl", [
    "-s",
    "-X",
    "POST",
    `${baseURL}/v1/accounts/me/balances`,
    "-H",
    `Authorization: Bearer ${alice.apiKey}`,
    "-d",
    JSON.stringify({ decryption_proof }),
  ]);
  expect(JSON.parse(stale.stdout)).toMatchObject({ error: { code: "decryption_proof_invalid" } });
});

test("a wallet without an API key proves its balance: it learns nothing it does not know", async ({ payer }) => {
  const carol = await payer("carol", "40");
  carol.apiKey = undefined;
  await carol.json("kyc", "verify");
  expect(await carol.json("balances")).toEqual({ balances: [{ asset: "USDG", amount: "40" }], undecrypted_notes: 0 });
});
