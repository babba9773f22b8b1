import { open } from "node:fs/promises";
import { HalcyonError } from "../../api/errors";

/** The permission bits of group and others, none of which may be set. */
const OTHERS = 0o077;

/**
 * Reads a file that holds a secret.
 *
 * @param holds what the file holds, for messages: "a wallet key"
 * @throws HalcyonError `invalid_request` when it can't be read, or others can read it too
 */
export async function readPrivateFile(path: string, holds: string): Promise<string> {
  const file = await open(path, "r").catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read ${path}, which should hold ${holds}.`);
  });
  try {
    const { mode } = await file.stat();
    // Windows has no such permission bits.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
      throw new HalcyonError(
        "invalid_request",
        `${path} holds ${holds} and others can read it. Run "chmod 600 ${path}". If someone may have read it, move the money to a new wallet.`,
      );
    }
    // Editors of Windows begin a file with a byte order mark.
    return (await file.readFile("utf8")).replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}
