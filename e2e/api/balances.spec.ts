import { expect, test } from "./fixtures";

test("200: a GET with a body, as curl sends it, and POST return what a proof proves", async ({ alice }) => {
  const { decryption_proof } = await alice.client.balances.prove();
  for (const method of ["GET", "POST"]) {
    const response = await alice.call(method, "/v1/accounts/me/balances", { decryption_proof });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      balances: [{ asset: "USDG", amount: expect.stringMatching(/^\d+(\.\d*[1-9])?$/) }],
      undecrypted_notes: 0,
    });
  }
});
