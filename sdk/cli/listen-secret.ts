import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HalcyonError } from "../api/errors";

const OTHERS = 0o077;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/**
 * Returns the secret with which `listen` signs an account's events on this machine. It is created once and then stays
 * the same. It is not the secret of a webhook, so it doesn't verify anything that the service sends.
 *
 * @throws HalcyonError `invalid_request` when others can read its file, or when the file holds no secret
 */
export async function listenSecret(accountId: string, folder: string): Promise<string> {
  const file = join(folder, `${accountId.replace(/[^A-Za-z0-9_]/g, "")}.secret`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    await writeFile(draft, `whsec_${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
    // `link` creates the file with its whole content, and if two processes start at once, the first one's secret wins.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  // Windows has no such permission bits.
  if (process.platform !== "win32" && ((await stat(file)).mode & OTHERS) !== 0) {
    throw new HalcyonError(
      "invalid_request",
      `Others can read the secret in ${file}. Remove the file, then listen again.`,
    );
  }
  const secret = (await readFile(file, "utf8")).trim();
  if (SECRET.test(secret)) return secret;
  throw new HalcyonError("invalid_request", `${file} holds no secret of listen. Remove the file, then listen again.`);
}
