// Plain Node without dependencies: before any are installed, and in an image, which has none of the scripts' own.

/** The first version of each line whose Brotli decoder is safe (CVE-2026-111497). Later lines are. */
const SAFE = { 22: [23, 4], 24: [22, 1], 26: [12, 1] };

/** Returns why a version of Node should not serve others; undefined if it may. */
export function nodeWarning(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  const [safeMinor, safePatch] = SAFE[major] ?? (major > 26 ? [0, 0] : [Infinity, 0]);
  if (minor > safeMinor || (minor === safeMinor && patch >= safePatch)) return undefined;
  return (
    `Node ${version} has a vulnerable Brotli decoder (CVE-2026-111497). That is fine on your own machine. ` +
    "To serve others, use Node 22.23.4, 24.22.1, 26.12.1 or newer."
  );
}

/** Warns if this process's Node should not serve others. Not by the console: web replaces it. */
export function warnOfNode() {
  const warning = nodeWarning(process.versions.node);
  if (warning) process.stderr.write(`${warning}\n`);
}
