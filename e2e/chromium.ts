import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

/** Returns the paths where an installed Chrome, Chromium or Edge may be. CHROME_PATH comes first. */
export function installedBrowsers(platform: NodeJS.Platform, env: Record<string, string | undefined>): string[] {
  const own = env.CHROME_PATH ? [env.CHROME_PATH] : [];
  if (platform === "darwin") {
    const folders = ["/Applications", `${env.HOME}/Applications`];
    const names = ["Google Chrome", "Chromium", "Microsoft Edge"];
    return [...own, ...folders.flatMap((at) => names.map((name) => `${at}/${name}.app/Contents/MacOS/${name}`))];
  }
  if (platform === "win32") {
    const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter((at) => at !== undefined);
    const names = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
    return [...own, ...names.flatMap((name) => folders.map((at) => `${at}\\${name}`))];
  }
  return [...own, "/usr/bin/chromium", "/usr/bin/google-chrome"];
}

/**
 * Returns how to launch a Chromium without a download: from CHROME_PATH, the system's, or on Linux the one packed in
 * @sparticuz/chromium.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const installed = installedBrowsers(process.platform, process.env).find((file) => existsSync(file));
  if (installed) return { executablePath: installed, args: ARGUMENTS };
  if (process.platform !== "linux") {
    throw new Error("The tests need a browser: install Google Chrome, or set CHROME_PATH to a Chromium.");
  }
  return unpacked(path.resolve(".cache/chromium"));
}

async function unpacked(folder: string): Promise<ChromiumLaunch> {
  mkdirSync(folder, { recursive: true });
  const names = ["TMPDIR", "AWS_EXECUTION_ENV", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "HOME"];
  const before = names.map((name) => [name, process.env[name]] as const);
  // The package unpacks into the temporary folder, and unpacks its libraries only if it believes to run on AWS.
  process.env.TMPDIR = folder;
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const executablePath = await chromium.executablePath();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  // Without a readable font, every text has height 0 and nothing is visible.
  const fonts = path.join(folder, "fonts.conf");
  const folders = [`${folder}/fonts/fonts`, "/usr/share/fonts"].map((dir) => `<dir>${dir}</dir>`).join("");
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  const env = { ...(process.env as Record<string, string>) };
  return {
    executablePath,
    args: ARGUMENTS,
    env: { ...env, LD_LIBRARY_PATH: path.join(folder, "al2023/lib"), FONTCONFIG_FILE: fonts },
  };
}
