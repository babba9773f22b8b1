import { describe, expect, it } from "vitest";
import { isId } from "@/lib/base/ids";
import { domainAccountId } from "./create-account";
import { requireDomainRight } from "./require-domain-right";

const WALLET = "0x00000000000000000000000000000000000a11ce";

describe("domain handles", () => {
  it("give an account id that is known before the account exists, another for each wallet and name", () => {
    const id = domainAccountId(WALLET, "example.com");
    expect(isId("account", id)).toBe(true);
    expect(domainAccountId(WALLET, "example.com")).toBe(id);
    expect(domainAccountId(WALLET, "example.org")).not.toBe(id);
    expect(domainAccountId("0x00000000000000000000000000000000000b0b00", "example.com")).not.toBe(id);
  });

  it("are taken when the domain's TXT record names the account, also in several strings", async () => {
    const read = async (name: string) => (name === "_halcyon.example.com" ? [["other"], ["acct_", "1"]] : []);
    await expect(requireDomainRight("example.com", "acct_1", read)).resolves.toBeUndefined();
    await expect(requireDomainRight("example.com", "acct_2", read)).rejects.toMatchObject({ param: "handle" });
    await expect(requireDomainRight("example.org", "acct_1", read)).rejects.toMatchObject({ code: "invalid_request" });
  });
});
