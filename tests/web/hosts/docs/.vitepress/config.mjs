// A documentation site as its authors would set it up: two settings for the element, no more.
export default {
  title: 'Docs',
  head: [
    ['script', { src: '/train-tally.js', async: '' }],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'train-tally' } } },
};
