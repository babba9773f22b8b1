/**
 * Creates the accounts that a new installation needs: `@demo` and the recipient whose payments fail. Does nothing if
 * they exist.
 */
export async function seedDemo(env: Record<string, string>, say: (line: string) => void): Promise<void> {
  Object.assign(process.env, env);
  // Imported only now, because these modules read the environment when they load.
  const { makeDemoAccounts } = await import("./demo-account");
  await makeDemoAccounts(say);
}
