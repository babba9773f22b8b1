import { type Driver, until } from "./driver";

/** Page script: whether React has hydrated an element. Input before that is lost. */
const TAKEN = `((one) => Object.keys(one).some((key) => key.startsWith("__reactProps")))`;

/** Page script: finds a button or link whose text is, or starts with, the given name. */
const BUTTON = `((name) => [...document.querySelectorAll("button, a[href]")].find((one) =>
  one.getClientRects().length > 0 && !one.disabled && ${TAKEN}(one) && one.textContent.trim().startsWith(name)))`;

const press = (driver: Driver, name: string) =>
  until(
    driver,
    `the button "${name}"`,
    `const one = ${BUTTON}(${JSON.stringify(name)}); if (!one) return ""; one.click(); return "pressed";`,
  );

const sees = (driver: Driver, text: string) =>
  until(driver, `"${text}"`, `return document.body.innerText.includes(${JSON.stringify(text)}) ? "seen" : "";`);

/** Types into the only field with this label. */
const fill = (driver: Driver, label: RegExp, value: string) =>
  until(
    driver,
    `the field ${label}`,
    `const label = [...document.querySelectorAll("label")].find((one) => ${label}.test(one.textContent));
     const field = label && document.getElementById(label.htmlFor);
     if (!field || field.disabled || !${TAKEN}(field)) return "";
     Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, ${JSON.stringify(value)});
     field.dispatchEvent(new Event("input", { bubbles: true }));
     return "filled";`,
  );

/** Clicks "Sign" in the dialog with this title, and waits until the dialog is gone. */
async function sign(driver: Driver, title: string): Promise<void> {
  const dialog = `[...document.querySelectorAll("[role=dialog]")].find((one) => one.innerText.startsWith(${JSON.stringify(title)}))`;
  await until(
    driver,
    `the signature "${title}"`,
    `const button = [...(${dialog}?.querySelectorAll("button") ?? [])].find((one) => one.textContent.trim() === "Sign");
     if (!button || button.disabled || !${TAKEN}(button)) return ""; button.click(); return "signed";`,
  );
  await until(driver, `the end of "${title}"`, `return ${dialog} ? "" : "gone";`);
}

/**
 * Runs a first visit with the marked test wallet, up to a payment: sign-in, keys created and unlocked in a worker, a
 * deposit and an available balance proved in the browser, and the payment itself.
 *
 * @param url of a local stack
 */
export async function firstVisit(driver: Driver, url: string): Promise<void> {
  await driver.open(url);
  await until(driver, "the landing page", `return document.querySelector("h1")?.textContent ?? "";`);
  await driver.open(`${url}/sign-in`);
  await press(driver, "Test wallet in this browser");
  await fill(driver, /^Handle/, `smoke-${Date.now().toString(36)}`);
  await press(driver, "Create account");
  const code = await until(driver, "the recovery code", `return document.querySelector("code")?.textContent ?? "";`);
  await press(driver, "I have stored it");
  const asked = await until(
    driver,
    "the question for a group of it",
    `return [...document.querySelectorAll("label")].map((one) => one.textContent).find((text) => /Type group/.test(text)) ?? "";`,
  );
  await fill(driver, /Type group/, code.trim().split("-")[Number(/group (\d)/.exec(asked)?.[1]) - 1] ?? "");
  await press(driver, "Enroll");
  await sign(driver, "Create your account's key");
  await sign(driver, "Enroll your account");
  await press(driver, "Verify identity");
  await press(driver, "Get test money");
  await sign(driver, "Deposit");
  await sign(driver, "Change the available balance");
  await press(driver, "Pay ");
  await sees(driver, "Your payment arrived.");
}
