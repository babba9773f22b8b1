import { expect, test } from "vitest";
import { ChainUnreachable, HalcyonError, ServiceUnreachable } from "@/sdk/api/errors";
import { messageOf } from "./message-of";

test("what the SDK says to programmers is said in words for people", () => {
  const ofChain = [
    new ChainUnreachable(),
    new ChainUnreachable("The chain's RPC (option rpcUrl) does not respond with JSON (status 502). Check its address."),
    new HalcyonError("unavailable", "The chain's RPC returned an error. Try again, or use another RPC.", {
      param: "rpcUrl",
    }),
  ];
  for (const error of ofChain) expect(messageOf(error)).toBe("The chain does not respond. Try again in a moment.");
  expect(messageOf(new ServiceUnreachable("https://halcyon.example"))).not.toMatch(/option|https/);
  // Other messages of the SDK are for people already.
  const other = new HalcyonError("insufficient_balance", "The available balance does not cover the payment.");
  expect(messageOf(other)).toBe(other.message);
});
