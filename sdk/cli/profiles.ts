import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Network } from "@/lib/base/network";
import { HalcyonError } from "../api/errors";
import { configDir, type Variables } from "../context/platform/config-dir";

/** The defaults of one account's commands, which options and variables override. */
export interface Profile {
  url?: string;
  network?: Network;
  /** Absolute path. The key itself stays in its own file. */
  wallet_key_file?: string;
  api_key?: string;
  rpc_url?: string;
}

export interface Profiles {
  /** The default profile. */
  current?: string;
  profiles: Record<string, Profile>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
const OTHERS = 0o077;

/** Returns the file of profiles: `profiles.json` in the configuration folder. */
export function profilesFile(variables: Variables): string {
  return join(configDir(variables), "profiles.json");
}

/**
 * Reads the profiles of this machine; none when there is no file.
 *
 * @throws HalcyonError `invalid_request` when others can read the file, because it holds API keys
 */
export async function readProfiles(file: string): Promise<Profiles> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw new HalcyonError("invalid_request", `Cannot read the profiles in ${file} (${cause.code}).`, { cause });
  });
  if (!found) return { profiles: {} };
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (found.mode & OTHERS) !== 0) {
    throw new HalcyonError(
      "invalid_request",
      `${file} holds API keys and others can read it. Run "chmod 600 ${file}", and revoke its keys if that is news to you.`,
    );
  }
  const text = await readFile(file, "utf8");
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Profiles>;
    if (typeof profiles === "object" && profiles !== null) return { current, profiles };
  } catch {
    // Treated like a document of the wrong shape.
  }
  throw new HalcyonError("invalid_request", `${file} is not a file of profiles. Repair or remove it.`);
}

/**
 * Returns the profile with a name.
 *
 * @throws HalcyonError `not_found`, listing the existing profiles
 */
export function profileNamed({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(profiles).join(", ");
  throw new HalcyonError(
    "not_found",
    names
      ? `There is no profile "${name}", only ${names}.`
      : `There is no profile "${name}"; make it with "profiles add".`,
  );
}

/**
 * Adds a profile. The first one becomes the default.
 *
 * @throws HalcyonError `invalid_request` when the name is taken or invalid
 */
export async function addProfile(file: string, name: string, profile: Profile): Promise<Profiles> {
  if (!NAME.test(name)) {
    throw new HalcyonError("invalid_request", "A profile's name has 1 to 32 of a-z A-Z 0-9 - _.");
  }
  return change(file, (all) => {
    if (Object.hasOwn(all.profiles, name)) {
      throw new HalcyonError("invalid_request", `There is a profile "${name}" already. Remove it first.`);
    }
    return { current: all.current ?? name, profiles: { ...all.profiles, [name]: profile } };
  });
}

/** Makes a profile the default. */
export function chooseProfile(file: string, name: string): Promise<Profiles> {
  return change(file, (all) => {
    profileNamed(all, name);
    return { ...all, current: name };
  });
}

/** Removes a profile. Its wallet file stays, and its API key works until it is revoked. */
export function removeProfile(file: string, name: string): Promise<Profiles> {
  return change(file, (all) => {
    profileNamed(all, name);
    const { [name]: _, ...profiles } = all.profiles;
    return { current: all.current === name ? undefined : all.current, profiles };
  });
}

async function change(file: string, changed: (all: Profiles) => Profiles): Promise<Profiles> {
  const after = changed(await readProfiles(file));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Write and rename, so that the file is never incomplete, and never readable by others.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return after;
}
