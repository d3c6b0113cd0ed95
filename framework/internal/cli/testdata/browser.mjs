// browser.mjs ADDRESS OUT [COOKIE] drives the page in headless Chromium as a reader would, in both languages, narrow and
// wide, light and dark. After each step axe-core looks for barriers, and a screenshot goes to OUT. It ends with 1 when a
// step fails, the console shows an error, the page asks another host, or axe finds a violation.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const [address, out, cookie] = process.argv.slice(2);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
await mkdir(out, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion"],
});
const problems = [];
let states = 0;

function check(ok, what) { if (!ok) problems.push(what); }

async function run(language, width, scheme) {
  const name = `${language}-${width}-${scheme}`;
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setExtraHTTPHeaders({ "Accept-Language": language });
  if (cookie) {
    const [key, value] = cookie.split("=");
    await context.setCookie({ name: key, value, domain: new URL(address).hostname, path: "/" });
  }
  const expected = /status of 404/; // of a search that has expired
  page.on("console", (m) => { if (m.type() === "error" && !expected.test(m.text())) problems.push(`${name}: console: ${m.text()}`); });
  page.on("pageerror", (e) => problems.push(`${name}: ${e}`));
  page.on("request", (r) => check(r.url().startsWith(address) || r.url().startsWith("data:"), `${name}: asks ${r.url()}`));

  const look = async (step) => {
    states++;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name} ${step}: ${wide} pixels too wide`);
    const main = page.mainFrame();
    const world = await main.isolatedRealm();
    await world.evaluate(axe);
    const { violations } = await world.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const v of violations) {
      problems.push(`${name} ${step}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " | " +
        (n.any[0]?.message ?? n.all[0]?.message ?? "")).join(" ;; ")}`);
    }
    await page.screenshot({ path: `${out}/${name}-${step}.png` });
  };
  const has = (selector) => page.waitForSelector(selector, { timeout: 20_000 });

  await page.goto(address);
  await look("1-welcome");
  check(await page.evaluate(() => document.documentElement.lang) === language, `${name}: wrong language`);

  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.type("#q", language === "ja" ? "保証の対象外になるのはどんなとき" : "who approves a deploy");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await has(".hit");
  await look("2-hits");

  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  check(await page.$("#hit-1 details[open]"), `${name}: Enter explains nothing`);
  await look("3-explanation");
  await page.screenshot({ path: `${out}/${name}-3-whole.png`, fullPage: true });
  await page.keyboard.press("?");
  check(await page.$("dialog[open]"), `${name}: ? shows no keys`);
  await look("4-keys");
  await page.keyboard.press("Escape");
  check(!await page.$("dialog[open]"), `${name}: Escape closes nothing`);

  await page.type("#place", language === "ja" ? "aoba-nas/07-backup.md" : "minato-runbook/06-queue.md");
  await page.click("form[action=why] button");
  await has("#why-answer .stage");
  await look("5-why");

  const before = await page.$$eval(".hit", (hits) => hits.map((h) => h.id));
  await page.$eval("#weights input[type=range]", (slider) => {
    slider.value = 0;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await has("#settings pre");
  await page.waitForFunction((old) => [...document.querySelectorAll(".hit")].map((h) => h.id).join() !== old, {},
    before.join());
  check(await page.$(".rose, .fell"), `${name}: nothing moved`);
  await page.$eval("#weights-title", (title) => title.scrollIntoView({ block: "start" }));
  await look("6-weights");

  await page.$eval("#weights [name=trace]", (field) => { field.dataset.kept = field.value; field.value = "0-0"; });
  await page.click("#weights button");
  await page.waitForFunction(() => document.querySelector("#said").textContent !== "");
  await look("6-expired");
  await page.$eval("#weights [name=trace]", (field) => { field.value = field.dataset.kept; });
  await page.click("#weights button");
  await page.waitForFunction(() => document.querySelector("#said").textContent === "");

  const picks = await page.$$("input[name=pair]");
  await picks[0].click();
  await picks[1].click();
  await page.click("[data-two]");
  await has("#compared table");
  await look("7-compared");

  for (const pressed of ["false", "true"]) { // what a run before has judged is taken back first
    for (const [n, thumb] of [[0, "up"], [1, "down"]]) {
      const id = await page.$$eval(".hit .thumbs", (forms, n) => forms[n].id, n);
      const is = `#${id} .${thumb}[aria-pressed=${pressed}]`;
      if (await page.$(is)) continue;
      await page.click(`#${id} .${thumb}`);
      await has(is);
    }
  }
  await look("8-thumbs");

  await Promise.all([page.waitForNavigation(), page.click("#weights [formaction]")]);
  await has("#measured");
  await look("9-measured");

  await page.goto(`${address}contents?manual=aoba-nas`);
  await page.click(".tree summary");
  await look("10-contents");
  await Promise.all([page.waitForNavigation(), page.click(".tree details[open] a")]);
  await has("ol.lines");
  await look("11-read");
  if (width > 1000 && scheme === "light") {
    await page.goto(`${address}state`, { timeout: 120_000 });
    await look("12-state");
  }

  const file = `${out}/${name}-export.html`;
  await page.goto(`${address}?q=${encodeURIComponent("保証の対象外")}`);
  const saved = await page.$eval(".export a", async (a) => await (await fetch(a.href)).text());
  await writeFile(file, saved);
  check(!/<script|<link|<form|\shref=|\ssrc=/i.test(saved), `${name}: the export is not by itself`);
  const alone = await context.newPage();
  await alone.setViewport({ width, height: 900 });
  await alone.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await alone.setOfflineMode(true);
  await alone.setContent(saved);
  await alone.screenshot({ path: `${out}/${name}-13-export.png` });
  await alone.evaluate(axe);
  const { violations } = await alone.evaluate(() => axe.run());
  for (const v of violations) problems.push(`${name} export: ${v.id}: ${v.nodes[0].html.slice(0, 200)}`);
  states++;
  await context.close();
}

for (const language of (process.env.LANGUAGES ?? "en ja").split(" ")) {
  for (const width of (process.env.WIDTHS ?? "400 1280").split(" ").map(Number)) {
    for (const scheme of (process.env.SCHEMES ?? "light dark").split(" ")) {
      try {
        await run(language, width, scheme);
      } catch (error) {
        problems.push(`${language}-${width}-${scheme}: ${error.stack}`);
      }
    }
  }
}
await browser.close();
for (const p of problems) console.error(p);
console.log(`${states} states, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
