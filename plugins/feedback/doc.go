// Package feedback is the strategy that searches again with words of the best sections: blind relevance feedback with
// the RM3 model.
package feedback
