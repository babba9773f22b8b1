import { BINARY } from "../binary";
import { expect, test } from "./fixtures";
import { startProgram } from "./start-program";

test("a program with a blind key pays through the proxy by its base URL, and once when it repeats the request", async ({
  payer,
  person,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const { api_key, home_key } = await alice.json<{ api_key: string; home_key: string }>(
    ...["keys", "create", "--label", "proxy", "--blind"],
  );
  const env = { HALCYON_URL: baseURL ?? "", HALCYON_HOME_KEY: home_key };
  const proxy = await startProgram([BINARY, "proxy", "--port", "0"], env, /Serving (\S+) /);
  try {
    const pay = async () => {
      const response = await fetch(`${proxy.url}/v1/transfers`, {
        method: "POST",
        headers: { authorization: `Bearer ${api_key}`, "idempotency-key": `proxy-${bob.handle}` },
        body: JSON.stringify({ to: `@${bob.handle}`, amount: "2.50", memo: "canary" }),
      });
      return [response.status, ((await response.json()) as { transfer_id: string }).transfer_id];
    };
    const paid = await pay();
    expect(paid).toEqual([201, expect.stringMatching(/^tr_/)]);
    expect(await pay()).toEqual(paid);
    expect(proxy.said()).not.toMatch(/2\.50|canary|hc_test_/);
  } finally {
    await proxy.close();
  }
  const { transfers } = await (await alice.client()).transfers.listDecrypted({ direction: "sent" });
  expect(transfers.map(({ amount, memo }) => [amount, memo])).toEqual([["2.5", "canary"]]);
});
