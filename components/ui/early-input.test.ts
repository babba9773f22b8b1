import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repeatCheck, repeatChoice, repeatText } from "./early-input";

/** What these functions use of a browser's control. */
class Control {
  selectionStart: number | null = null;
  selectionEnd: number | null = null;
  #text = "";
  get value(): string {
    return this.#text;
  }
  set value(text: string) {
    this.#text = text;
  }
  constructor(readonly defaultValue: string) {
    this.#text = defaultValue;
  }
  setSelectionRange(start: number, end: number) {
    [this.selectionStart, this.selectionEnd] = [start, end];
  }
  dispatchEvent(_event: Event) {}
}

/** Hydrates a control like React: hears of a text only if it is another than the last one noted. */
function hydrate(control: Control, onText: (text: string) => void): Control {
  let noted = control.value;
  const own = Object.getOwnPropertyDescriptor(Control.prototype, "value");
  Object.defineProperty(control, "value", {
    get: () => own?.get?.call(control),
    set: (text: string) => {
      noted = text;
      own?.set?.call(control, text);
    },
  });
  control.dispatchEvent = ({ type, bubbles }) => {
    if (type !== "input" || !bubbles || control.value === noted) return;
    noted = control.value;
    onText(control.value);
  };
  return control;
}

beforeEach(() => {
  vi.stubGlobal("document", { activeElement: null });
});
afterEach(() => vi.unstubAllGlobals());

const repeatIn = (control: Control) => repeatText(control as unknown as HTMLInputElement);
const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

test("a text that was typed before the page's scripts had loaded is heard once they have", async () => {
  const heard: string[] = [];
  const control = new Control("Rent");
  control.value = "Office rent";
  repeatIn(hydrate(control, (text) => heard.push(text)));
  await settled();
  expect(heard).toEqual(["Office rent"]);
  expect(control.value).toBe("Office rent");
});

test("each of several fields that share their state keeps its text", async () => {
  let state = { a: "", b: "" };
  const controls = { a: new Control(""), b: new Control("") };
  const render = () => {
    for (const name of ["a", "b"] as const) controls[name].value = state[name];
  };
  for (const name of ["a", "b"] as const) {
    controls[name].value = `early ${name}`;
    hydrate(controls[name], (text) => {
      state = { ...state, [name]: text };
      render();
    });
  }
  for (const control of Object.values(controls)) repeatIn(control);
  await settled();
  expect(state).toEqual({ a: "early a", b: "early b" });
});

test("a text as it was rendered is not repeated, and the caret stays where it is", async () => {
  const heard: string[] = [];
  const hear = (text: string) => heard.push(text);
  repeatIn(hydrate(new Control("Rent"), hear));
  await settled();
  expect(heard).toEqual([]);
  const control = hydrate(new Control(""), hear);
  Object.getOwnPropertyDescriptor(Control.prototype, "value")?.set?.call(control, "12.50");
  [control.selectionStart, control.selectionEnd] = [2, 2];
  vi.stubGlobal("document", { activeElement: control });
  repeatIn(control);
  control.setSelectionRange = vi.fn();
  await settled();
  expect(control.setSelectionRange).toHaveBeenCalledWith(2, 2);
});

test.each([true, false])("a box that was %s before is pressed again, and no other", async (defaultChecked) => {
  const box = (checked: boolean) => {
    const press = () => {
      fake.checked = !fake.checked;
    };
    const fake = { checked, defaultChecked, click: vi.fn(press) };
    return fake;
  };
  const [early, untouched] = [box(!defaultChecked), box(defaultChecked)];
  for (const each of [early, untouched]) repeatCheck(each as unknown as HTMLInputElement);
  await settled();
  expect(early.click).toHaveBeenCalledOnce();
  expect(early.checked).toBe(!defaultChecked);
  expect(untouched.click).not.toHaveBeenCalled();
});

test("an option that was chosen before is chosen again", async () => {
  const options = [
    { defaultSelected: true, selected: false },
    { defaultSelected: false, selected: true },
  ];
  const select = { options, value: "ETH", dispatchEvent: vi.fn() };
  repeatChoice(select as unknown as HTMLSelectElement);
  select.value = "USDG";
  await settled();
  expect(select.value).toBe("ETH");
  expect(select.dispatchEvent).toHaveBeenCalledOnce();
});
