package scope

// The parts of wordings about other areas than the backend.
const (
	// frontend and platform name an area by themselves.
	frontend = `\b(?:s?css|stylesheets?|fonts?|typeface|tailwind|figma|brand colou?rs?|dark mode|responsive (?:design|layout)|frontend|front end|front-end|(?:react|vue|angular|svelte) (?:component|hook|app)s?|ui design|storybook)\b` +
		`|css|フォント|配色|ダークモード|フロントエンド|画面(?:設計|デザイン|遷移)|uiデザイン`
	platform = `\b(?:terraform|kubernetes|k8s|helm chart|vpc|subnets?|load balancers?|cdn|dns|github actions|ci pipeline|ci/cd|nginx|ingress|dockerfile)\b` +
		`|terraform|kubernetes|ロードバランサ|インフラ|ネットワーク構成|サーバ構成`
	// looks and places of a screen name one together.
	looks = `\b(?:colou?rs?|layout|animat\w+|icons?|logo|margins?|padding|looks?|appearance|placed|positioned|rounded|rounds|hover\w*|theme|design|styled)\b` +
		`|の色|何色|背景色|文字色|レイアウト|余白|アニメーション|アイコン|ロゴ|デザイン|見た目|配置|表示位置|どこに(?:あり|表示)`
	places = `\b(?:buttons?|pages?|home ?page|website|screens?|sidebar|navbar|header|footer|menu|modal|dialog|dashboard|banner|tooltip|cards?|components?|(?:ios|android|mobile) app|app)\b` +
		`|画面|ページ|ボタン|ヘッダ|フッタ|メニュ|サイドバ|モーダル|ダイアログ|ダッシュボード|バナ|アプリ`
)

// elsewhere are questions on the frontend or the infrastructure.
var elsewhere = []outside{
	{Elsewhere, says(platform), anyOf(bound, bounds, outcome, outcomes)},
	{Elsewhere, says(frontend), anyOf(bound, bounds, outcome, outcomes, served)},
	{Elsewhere, says(looks, places), anyOf(bound, bounds, outcome, outcomes, served, `\b(?:how many|files?|images?|thumbnails?|avatars?|csv|json|xml|pdf|exports?|exported|tokens?|cursor|e-?mails?|reports?|receipts?)\b|画像|ファイル|csv|json|pdf|メール|帳票|トークン|何ピクセル`)},
}
