import { expect, test } from "../api/fixtures";

test("pages and scripts travel compressed, responses of the APIs do not", async ({ request }) => {
  const headers = { "accept-encoding": "gzip" };
  const page = await request.get("/", { headers });
  expect(page.headers()["content-encoding"]).toBe("gzip");
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text())?.[1];
  expect((await request.get(script ?? "", { headers })).headers()["content-encoding"]).toBe("gzip");
  for (const path of ["/api/network", "/v1/accounts/me"]) {
    expect((await request.get(path, { headers })).headers()["content-encoding"], path).toBeUndefined();
  }
});
