// Filters the variables of each comparison by name, description and change.
"use strict";

for (const launch of document.querySelectorAll(".launch")) {
  const cards = [...launch.querySelectorAll(".card")];
  const filter = launch.querySelector(".filter");
  const every = launch.querySelector(".every");

  const choose = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    const all = every.getAttribute("aria-pressed") === "true";
    for (const card of cards)
      card.hidden = !(words.every(word => card.dataset.search.includes(word)) && (all || words.length || card.dataset.differs));
  };

  if (filter) {
    filter.addEventListener("input", choose);
    every.addEventListener("click", () => {
      every.setAttribute("aria-pressed", every.getAttribute("aria-pressed") === "true" ? "false" : "true");
      choose();
    });
    choose();
  }
}
