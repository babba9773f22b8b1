import { expect } from "@playwright/test";
import type { Hex } from "viem";
import { WalletSession } from "../api/wallet-session";
import type { Caller } from "../halcyon";

/** An owner who gets email about an agent's requests. */
export class NotifiedOwner {
  private constructor(private readonly session: WalletSession) {}

  /** Signs in as the caller's wallet, sets an address and confirms it by its link. */
  static async open(
    playwright: Parameters<typeof WalletSession.open>[0],
    { url, walletKey }: Caller,
  ): Promise<NotifiedOwner> {
    const session = await WalletSession.open(playwright, url, { key: walletKey as Hex });
    const owner = new NotifiedOwner(session);
    const set = await session.send("POST", "/api/notifications/email", { address: "canary@example.com" });
    expect(set.status()).toBe(202);
    const page = await owner.inboxWith("Confirm your email address");
    const token = /notifications\/confirm\?token=([\w%.~-]+)/.exec(page)?.[1] ?? "";
    const confirmed = await session.http.post(`/api/notifications/confirm?token=${token}`, { maxRedirects: 0 });
    expect(confirmed.headers().location).toContain("result=done");
    return owner;
  }

  /** Returns the inbox page, once it contains a message with this subject. */
  async inboxWith(subject: string): Promise<string> {
    let text = "";
    const read = async () => {
      text = await (await this.session.http.get(`/${this.session.network}/inbox`)).text();
      return text;
    };
    await expect.poll(read).toContain(subject);
    return text;
  }
}
