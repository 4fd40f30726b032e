//! The frame of each page: head, links to the main pages, foot; and the files that all pages share.

use assay_base::io::page_style::STYLE;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::SiteFile;

/// The first page.
pub(crate) const HOME: &str = "index.html";
/// The page that answers which algorithm to take.
pub(crate) const CHOOSE: &str = "choose.html";
/// The page of the best sets.
pub(crate) const MAP: &str = "map.html";
/// The page of the timeline and the family tree.
pub(crate) const TIMELINE: &str = "timeline.html";
/// The page that compares two algorithms. `?a=hor&b=bm` names them.
pub(crate) const COMPARE: &str = "compare.html";
/// The page that plays traces. `?a=hor&b=bm` names them.
pub(crate) const TRACE: &str = "trace.html";
/// The folder of the pages of algorithms.
pub(crate) const ALGORITHMS: &str = "algorithm";
/// The style of all pages.
const STYLE_FILE: &str = "atlas.css";
/// The script of all pages.
const SCRIPT_FILE: &str = "atlas.js";

/// The main pages: the file and its title.
const MAIN: [(&str, &str); 6] = [
    (HOME, "Algorithms"),
    (CHOOSE, "Which one?"),
    (MAP, "Map"),
    (TIMELINE, "Timeline and tree"),
    (COMPARE, "Two compared"),
    (TRACE, "Step by step"),
];

/// Where a page is, from which its links begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PagePlace {
    /// A main page: a file beside `index.html`.
    Main,
    /// The page of an algorithm, in a folder of its own.
    Algorithm,
}

impl PagePlace {
    /// What leads from the page to the main pages.
    fn up(self) -> &'static str {
        match self {
            PagePlace::Main => "",
            PagePlace::Algorithm => "../",
        }
    }

    /// The address of a main page or another file beside it.
    pub(crate) fn to_main(self, file: &str) -> String {
        format!("{}{file}", self.up())
    }

    /// The address of the page of an algorithm, by the name of its file.
    pub(crate) fn to_algorithm(self, file: &str) -> String {
        match self {
            PagePlace::Main => format!("{ALGORITHMS}/{file}"),
            PagePlace::Algorithm => file.to_owned(),
        }
    }
}

/// A whole page with this title and content.
pub(crate) fn page(place: PagePlace, title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " - atlas of string search" }
                // Without an icon, browsers ask for one, and report that it is missing.
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(place.to_main(STYLE_FILE));
            }
            body {
                nav aria-label="main pages" {
                    @for (file, name) in MAIN { a href=(place.to_main(file)) { (name) } }
                }
                (content)
                script src=(place.to_main(SCRIPT_FILE)) {}
            }
        }
    };
    page.into_string() + "\n"
}

/// The files that all pages share.
pub(crate) fn shared_files() -> Vec<SiteFile> {
    let style = format!("{STYLE}{}", include_str!("site/atlas.css"));
    vec![SiteFile::new(STYLE_FILE, style), SiteFile::new(SCRIPT_FILE, include_str!("site/atlas.js"))]
}

/// A text of a library with a link if it is an address, and as a text if it is anything else, because other schemes
/// may run scripts.
pub(crate) fn linked(text: &str) -> Markup {
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    html! { @if is_address { a href=(text) { (text) } } @else { (text) } }
}

/// JSON for a script of a page, in which `<` could end the script.
pub(crate) fn script_json(json: &str) -> Markup {
    PreEscaped(json.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_become_links() {
        let link = linked("https://a.b/?x=\"<").into_string();
        assert_eq!(link, "<a href=\"https://a.b/?x=&quot;&lt;\">https://a.b/?x=&quot;&lt;</a>");
        assert_eq!(linked("javascript:alert(1)").into_string(), "javascript:alert(1)");
    }

    #[test]
    fn a_page_links_to_what_is_beside_it_or_above_it() {
        let page = page(PagePlace::Algorithm, "<b>", &html! { "text" });
        assert!(
            page.contains("<title>&lt;b&gt; - atlas") && page.contains("href=\"../atlas.css\""),
            "{page}"
        );
        assert_eq!(PagePlace::Main.to_algorithm("hor.html"), "algorithm/hor.html");
    }
}
