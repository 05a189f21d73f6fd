// The smallest test runner that these tests need: one line a failure, one line at the end.

/** Of all tests only those whose title matches: WEB_ONLY=frame node tests/web/hosts.mjs */
const only = new RegExp(process.env.WEB_ONLY ?? '');

/** @param name printed on the closing line: "NAME: N passed, N failed" */
export function suite(name) {
  const tests = [];
  let passed = 0;
  let failed = 0;
  const times = [];

  async function run(title, body, before) {
    try {
      await body();
      passed += 1;
      if (before !== undefined)
        console.error(`${name}: passed at the second try: ${title}\n  before: ${before}`);
    } catch (error) {
      // A loaded machine can starve a browser for a minute: one more try, and it is said.
      if (before === undefined) return run(title, body, String(error.message));
      failed += 1;
      console.error(`${name}: FAILED ${title}\n${error.stack ?? error}\n`);
    }
  }

  return {
    /** Registers a test; they run in order. */
    test(title, body) {
      if (only.test(title)) tests.push([title, body]);
    },
    /** Runs what is registered, prints the closing line, and sets the exit code. */
    async finish() {
      for (const [title, body] of tests) {
        const start = performance.now();
        await run(title, body);
        times.push([(performance.now() - start) / 1000, title]);
      }
      times.sort(([a], [b]) => b - a);
      for (const [seconds, title] of times.slice(0, 5).filter(([took]) => took > 1))
        console.log(`${name}: ${seconds.toFixed(1)} s ${title}`);
      console.log(`${name}: ${passed} passed, ${failed} failed`);
      if (failed > 0) process.exitCode = 1;
      // A server that a failed test left open must not keep the run from ending.
      setTimeout(() => process.exit(), 10_000).unref();
    },
  };
}
