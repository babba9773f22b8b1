/** Makes what a fresh installation has to have, the payable account `@demo`; does nothing when it is there. */
export async function seedDemo(env: Record<string, string>, say: (line: string) => void): Promise<void> {
  Object.assign(process.env, env);
  // The verbs read the environment as they load.
  const { makeDemoAccount } = await import("./demo-account");
  await makeDemoAccount(say);
}
