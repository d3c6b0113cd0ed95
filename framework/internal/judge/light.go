package judge

import "strings"

// lightWords belong to the language of manuals as such: a text may hold one that
// the other lacks and still speak of the same thing.
var lightWords = set(`
場合 希望 商品 製品 サービス アプリ システム 機能 期間 期限 日数 時間 全体 全部 受付 対象 範囲 内容 方法 手続 予定
お客 客様 利用者 自分 金額 料金 費用 都合 人 制限 限度 個人 者 方 様 分 日 月 年 時 内 外 中 後 間 側 他 点 件 数 品 物 際 度 上 下 皆様 全国
customer user member people person item product other new
day days week weeks month months year years annum hour hours minute minutes time date period deadline limit number amount`)

// grammarWords bound a statement or carry it; they are no part of what it is about.
var grammarWords = set(`
連絡 当社 当店 弊社 確認 案内 以内 以降 以上 以下 現在 通常 原則 基本 一度 最大 最小 最長 最短 上限 下限 最低 最高 合計 目安 程度 可能 必要 不要 任意 不可 禁止 一律
必須 規定 注意 完了 自動 次回 現時点 貴重 大切 等 的 用 以前 対応 約
you it good must shall may can will able allow allowed permit accept offer provide available
within up until during each every all any only also well still please note
maximum minimum least most more less than per total same
optional mandatory compulsory voluntary obligatory necessary
need require request use get make let entitle entitled take have been cannot without can't don't doesn't isn't aren't won't mustn't never
default currently normally generally usually including include
excluded exclude excluding except prohibited forbidden unavailable ineligible unsupported
apply be not no before after`)

// plainWords say how a thing goes and are chosen freely: two texts that share one
// share something, but one that has it for itself is not about something else for it.
var plainWords = set(`
行 保持 設定 実施 提供 利用 使用 開始 終了 発行 初期 状態 既定 事前 直近 自由 理由 表示 提出 入力 指定 記入 届 出 持 経過 到着 取得 採用 先着 徴収 計算 割合 発生 負担 設置 掲載 送信 登録 購入 申込 申請 配送 実際 必 他 限 締 切 達 翌 当 後 直後 無料 有料 常時 常 毎回 種 度 書 入 見 越 超 過 受 支払 払 締切 期日 満 経 次第 最終 営業 開館
last run serve give receive get find take bring go stay leave come set turn switch show see hold happen occur start begin end finish expire amount value total cost charge bear due advance otherwise full between chosen once
open listen send arrive become made make held done place deal order ask state wish remain continue then afterwards later every directly simply full own choose submit hand process answer reach accept accord
keep retain store wait refer serve operate carry perform apply grant issue provide offer lie reason away old age announce publish late early quickly fast completely entire whole possible`)

func set(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
